import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import type {
  ApprovalPage,
  CreateSopInput,
  CreateSopKeyInput,
  ListApprovalsQuery,
  Run,
  RunDecisionInput,
  Sop,
  SopKey,
  SopKeyPage,
  SopPage,
} from "@/lib/runner/schema";
import { answerOf, api, listOf, sendDelete, sendPost, withQuery } from "./api";
import { answerQuery, pagesQuery } from "./queries";

export type ApprovalsShown = ListApprovalsQuery["show"];
export type RunDecision = z.input<typeof RunDecisionInput>;

export const approvalsKey = ["approvals"] as const;

const pollMs = 5_000;

export const approvalsQuery = (show: ApprovalsShown) =>
  pagesQuery(
    [...approvalsKey, "pages", show],
    "/api/approvals",
    { show, limit: 50 },
    listOf<z.infer<typeof ApprovalPage>>(),
    {
      staleTime: 1_000,
      refetchInterval: pollMs,
    },
  );

/** One run that needs an approval, with all data for the decision; null when it no longer does. */
export function approvalQuery(runId: string) {
  return queryOptions({
    queryKey: [...approvalsKey, "one", runId],
    queryFn: async ({ signal }) => {
      const path = withQuery("/api/approvals", { show: "all", run: runId });
      return (await api(path, { shape: listOf<z.infer<typeof ApprovalPage>>(), signal })).items[0] ?? null;
    },
    staleTime: 1_000,
    refetchInterval: pollMs,
  });
}

export const decideRun = (runId: string, decision: RunDecision) =>
  sendPost(`/api/runs/${encodeURIComponent(runId)}/decisions`, answerOf<Run>(), decision);

export const sopsQuery = answerQuery(["sops"], "/api/sops?limit=100", listOf<z.infer<typeof SopPage>>(), {
  staleTime: 10_000,
});

export const sopKeysQuery = answerQuery(
  ["sop-keys"],
  "/api/admin/sop-keys?limit=100",
  listOf<z.infer<typeof SopKeyPage>>(),
  {
    staleTime: 10_000,
  },
);

export const addSop = (input: z.input<typeof CreateSopInput>) => sendPost("/api/admin/sops", answerOf<Sop>(), input);

export const withdrawSop = (id: string) => sendDelete(`/api/admin/sops/${id}`);

export const addSopKey = (input: CreateSopKeyInput) => sendPost("/api/admin/sop-keys", answerOf<SopKey>(), input);

export const withdrawSopKey = (id: string) => sendDelete(`/api/admin/sop-keys/${id}`);
