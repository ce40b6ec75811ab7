"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { ApiError, randomKey } from "@/lib/client/api";
import { type Run, runQuery, startRun } from "@/lib/client/runs";

type Start = {
  skillId: string;
  args: Record<string, unknown>;
  confirm: boolean;
  sop?: string | undefined;
  workerId?: string;
};

/** Starts a run once for each click. A click after an answer that never came repeats the earlier request. */
export function useStartRun(onStarted: (run: Run) => void) {
  const queries = useQueryClient();
  const unanswered = useRef<{ key: string; start: string } | null>(null);
  return useMutation({
    mutationFn: async (start: Start) => {
      const text = JSON.stringify(start);
      const idempotencyKey = unanswered.current?.start === text ? unanswered.current.key : randomKey();
      try {
        const run = await startRun({ ...start, idempotencyKey });
        unanswered.current = null;
        return run;
      } catch (error) {
        const hasAnswer = error instanceof ApiError && error.status !== 0;
        unanswered.current = hasAnswer ? null : { key: idempotencyKey, start: text };
        throw error;
      }
    },
    onSuccess: (run) => {
      queries.setQueryData(runQuery(run.id).queryKey, run);
      onStarted(run);
      return queries.invalidateQueries({ queryKey: ["runs", "newest"] });
    },
  });
}
