import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useMemo, useRef, useState } from "react";
import { checkArgs } from "@/components/schema-form/check-args";
import { argErrorsOf } from "@/components/schema-form/error-schema";
import { ApiError, type ApiFieldError, randomKey } from "@/lib/client/api";
import { runQuery, startRun } from "@/lib/client/runs";
import type { Run } from "@/lib/runner/schema";
import type { Skill } from "@/lib/skills/schema";
import type { ArgsDraft } from "./args-draft";
import { focusArg, jsonEditorId } from "./args-panel";

export type RunStart = {
  schema: Record<string, unknown>;
  /** What does not fit: as this page found, else as the server did. */
  errors: readonly ApiFieldError[];
  /** Whether the server has spoken, so that it need not be asked once more. */
  isFromServer: boolean;
  /** Why it was not started, where no argument is to blame. */
  refusal: Error | null;
  isPending: boolean;
  needsConfirm: boolean;
  isConfirming: boolean;
  setConfirming: (on: boolean) => void;
  /** Checks, then starts or asks. */
  run: () => void;
  /** Leaves the check to the server. */
  proceed: () => void;
  send: (sop?: string) => Promise<unknown>;
};

type UseRunStart = { skill: Skill; draft: ArgsDraft; blocked: string | null; onStarted: (run: Run) => void };

/** Checks, confirms and starts. The form and the JSON beside it answer to the same errors. */
export function useRunStart({ skill, draft, blocked, onStarted }: UseRunStart): RunStart {
  const schema = useMemo(() => skill.callSchema ?? { type: "object" }, [skill.callSchema]);
  const [wasTried, setTried] = useState(false);
  const [isConfirming, setConfirming] = useState(false);
  const start = useStartRun((run) => {
    setTried(false);
    onStarted(run);
  });
  const needsConfirm = skill.class !== "safe";
  // A form is checked when it is sent; JSON has no fields of its own that would keep one from errors.
  const isChecked = wasTried || draft.editedIn === "json";
  const ownErrors = useMemo(() => (isChecked ? checkArgs(schema, draft.value) : []), [isChecked, schema, draft.value]);
  const isAboutThese = start.variables?.args === draft.value;
  const answer = isAboutThese && start.error instanceof ApiError ? start.error : null;
  const serverErrors = answer ? argErrorsOf(answer) : [];

  const send = (sop?: string) =>
    start.mutateAsync({ skillId: skill.id, args: draft.value, confirm: needsConfirm, sop });
  const proceed = () => {
    if (needsConfirm) setConfirming(true);
    // The mutation's error is shown in its place; here it only ends.
    else send().catch(() => {});
  };
  const run = () => {
    if (blocked !== null || start.isPending || isConfirming) return;
    if (draft.problem !== null && isInJson(draft)) return document.getElementById(jsonEditorId)?.focus();
    const wrong = checkArgs(schema, draft.value);
    setTried(true);
    if (wrong.length === 0) return proceed();
    if (wrong[0]) focusArg(wrong[0].path);
  };
  return {
    schema,
    errors: serverErrors.length > 0 ? serverErrors : ownErrors,
    isFromServer: serverErrors.length > 0,
    refusal: isAboutThese && serverErrors.length === 0 && !isConfirming ? start.error : null,
    isPending: start.isPending,
    needsConfirm,
    isConfirming,
    setConfirming,
    run,
    proceed,
    send,
  };
}

/** Text that cannot be read is what somebody means to send, unless they have gone on in the form since. */
function isInJson(draft: ArgsDraft): boolean {
  return draft.editedIn === "json";
}

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
