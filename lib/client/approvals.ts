import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import {
  type ApprovalItem,
  ApprovalPage,
  type CreateSopInput,
  type CreateSopKeyInput,
  type ListApprovalsQuery,
  Run,
  type RunDecisionInput,
  Sop,
  SopKey,
  SopKeyPage,
  SopPage,
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

export type { Sop, SopKey };

/** The registered procedures, newest first; everybody may read them. */
export const sopsQuery = queryOptions({
  queryKey: ["sops"],
  queryFn: ({ signal }) => api("/api/sops?limit=100", { schema: SopPage, signal }),
  staleTime: 10_000,
});

export const sopKeysQuery = queryOptions({
  queryKey: ["sop-keys"],
  queryFn: ({ signal }) => api("/api/admin/sop-keys?limit=100", { schema: SopKeyPage, signal }),
  staleTime: 10_000,
});

export function addSop(input: z.input<typeof CreateSopInput>): Promise<Sop> {
  return api("/api/admin/sops", { method: "POST", body: input, schema: Sop });
}

export function withdrawSop(id: string): Promise<void> {
  return api(`/api/admin/sops/${id}`, { method: "DELETE" });
}

export function addSopKey(input: CreateSopKeyInput): Promise<SopKey> {
  return api("/api/admin/sop-keys", { method: "POST", body: input, schema: SopKey });
}

export function withdrawSopKey(id: string): Promise<void> {
  return api(`/api/admin/sop-keys/${id}`, { method: "DELETE" });
}
