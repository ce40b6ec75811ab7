import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import {
  type ApprovalItem,
  ApprovalPage,
  type ListApprovalsQuery,
  Run,
  type RunDecisionInput,
} from "@/lib/runner/schema";
import { api, withQuery } from "./api";

export type { ApprovalItem };
export type ApprovalsShown = ListApprovalsQuery["show"];
export type RunDecision = z.input<typeof RunDecisionInput>;

export const approvalsKey = ["approvals"] as const;

const soonMs = 5_000;

/** Runs that wait for people, the oldest first. */
export function approvalsQuery(show: ApprovalsShown) {
  return infiniteQueryOptions({
    queryKey: [...approvalsKey, "pages", show],
    queryFn: ({ pageParam, signal }) =>
      api(withQuery("/api/approvals", { show, limit: 50, cursor: pageParam }), { schema: ApprovalPage, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 1_000,
    refetchInterval: soonMs,
  });
}

/** One run that waits, with all that is needed to decide; null when it waits no longer. */
export function approvalQuery(runId: string) {
  return queryOptions({
    queryKey: [...approvalsKey, "one", runId],
    queryFn: async ({ signal }) => {
      const path = withQuery("/api/approvals", { show: "all", run: runId });
      return (await api(path, { schema: ApprovalPage, signal })).items[0] ?? null;
    },
    staleTime: 1_000,
    refetchInterval: soonMs,
  });
}

export function decideRun(runId: string, decision: RunDecision): Promise<Run> {
  return api(`/api/runs/${encodeURIComponent(runId)}/decisions`, { method: "POST", body: decision, schema: Run });
}
