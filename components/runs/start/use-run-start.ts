import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useMemo, useRef, useState } from "react";
import { checkArgs } from "@/components/schema-form/check-args";
import { argErrorsOf } from "@/components/schema-form/error-schema";
import { ApiError, randomKey } from "@/lib/client/api";
import { runQuery, startRun } from "@/lib/client/runs";
import type { Run } from "@/lib/runner/schema";
import type { Skill } from "@/lib/skills/schema";
import type { ArgsDraft } from "./args-draft";
import { focusArg } from "./args-panel";
import { jsonEditorId } from "./json-editor";

type UseRunStart = { skill: Skill; draft: ArgsDraft; blocked: string | null; onStarted: (run: Run) => void };

export type RunStart = ReturnType<typeof useRunStart>;

/** Checks, confirms and starts a run; form and JSON share its errors. */
export function useRunStart({ skill, draft, blocked, onStarted }: UseRunStart) {
  const schema = useMemo(() => skill.callSchema ?? { type: "object" }, [skill.callSchema]);
  const [wasTried, setTried] = useState(false);
  const [isConfirming, setConfirming] = useState(false);
  const start = useStartRun((run) => {
    setTried(false);
    onStarted(run);
  });
  const needsConfirm = skill.class !== "safe";
  // The form is checked on submit, JSON while typing.
  const isChecked = wasTried || draft.editedIn === "json";
  const ownErrors = useMemo(() => (isChecked ? checkArgs(schema, draft.value) : []), [isChecked, schema, draft.value]);
  const isAboutThese = start.variables?.args === draft.value;
  const answer = isAboutThese && start.error instanceof ApiError ? start.error : null;
  const serverErrors = answer ? argErrorsOf(answer) : [];

  const send = (sop?: string) =>
    start.mutateAsync({ skillId: skill.id, args: draft.value, confirm: needsConfirm, sop });
  const proceed = () => {
    if (needsConfirm) setConfirming(true);
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

/** Invalid JSON blocks the run only if the last edit was in the JSON. */
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

/** Starts a run once per click. A click after a lost response repeats the request with the same idempotency key. */
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
