"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { approvalsKey, decideRun, type RunDecision } from "@/lib/client/approvals";
import { meQuery } from "@/lib/client/me";
import { type Run, runQuery } from "@/lib/client/runs";

/** How a decision went, as far as this person's page is concerned. */
export type DecisionOutcome =
  | { kind: "decided"; decision: RunDecision["decision"]; run: Run }
  | { kind: "refused"; error: Error };

/** Sends a decision once, however often it is clicked; whatever comes of it, lists and counts are asked for anew. */
export function useRunDecision(runId: string, onOutcome: (outcome: DecisionOutcome) => void) {
  const queries = useQueryClient();
  // Not the mutation's own state: that is known to the page only after the second click of a double click.
  const isSent = useRef(false);
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (decision: RunDecision) => decideRun(runId, decision),
    onSuccess: (run, { decision }) => {
      queries.setQueryData(runQuery(runId).queryKey, run);
      onOutcome({ kind: "decided", decision, run });
    },
    onError: (error) => {
      isSent.current = false;
      onOutcome({ kind: "refused", error });
    },
    onSettled: () => {
      for (const queryKey of [approvalsKey, meQuery.queryKey, ["runs"]]) void queries.invalidateQueries({ queryKey });
    },
  });
  const decide = (decision: RunDecision) => {
    if (isSent.current) return;
    isSent.current = true;
    mutate(decision);
  };
  return { decide, doing: isPending ? variables.decision : null };
}
