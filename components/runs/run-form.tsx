"use client";

import { type Dispatch, useMemo, useState } from "react";
import { checkArgs } from "@/components/schema-form/check-args";
import { argErrorsOf } from "@/components/schema-form/error-schema";
import { useShortcut } from "@/components/shell/use-shortcut";
import { errorText } from "@/components/state/describe-error";
import { useMe } from "@/components/state/use-me";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";
import { Notice } from "@/components/ui/notice";
import { ApiError } from "@/lib/client/api";
import type { Run } from "@/lib/client/runs";
import type { Skill } from "@/lib/skills/schema";
import { ArgErrors, focusArg } from "./arg-errors";
import type { ArgsAction, ArgsDraft } from "./args-draft";
import { ArgsPanel } from "./args-panel";
import { ConfirmRun } from "./confirm-run";
import { CurlDialog } from "./curl-dialog";
import { jsonEditorId } from "./json-editor";
import { startOutcome } from "./start-words";
import { useStartRun } from "./use-start-run";

type RunFormProps = {
  skill: Skill;
  draft: ArgsDraft;
  dispatch: Dispatch<ArgsAction>;
  onStarted: (run: Run) => void;
  /** Why it cannot be run now. */
  blocked: string | null;
};

/** Checks, confirms and starts. The errors of this page and of the server are shown the same way. */
export function RunForm({ skill, draft, dispatch, onStarted, blocked }: RunFormProps) {
  const schema = useMemo(() => skill.schema ?? { type: "object" }, [skill.schema]);
  const [wasTried, setTried] = useState(false);
  const [isConfirming, setConfirming] = useState(false);
  const start = useStartRun((run) => {
    setTried(false);
    onStarted(run);
  });
  const needsConfirm = skill.class !== "safe";
  const waits = startOutcome(useMe(), skill.class) === "park";
  const ownErrors = useMemo(() => (wasTried ? checkArgs(schema, draft.value) : []), [wasTried, schema, draft.value]);
  const isAboutThese = start.variables?.args === draft.value;
  const refusal = isAboutThese && start.error instanceof ApiError ? start.error : null;
  const serverErrors = refusal ? argErrorsOf(refusal) : [];
  const errors = serverErrors.length > 0 ? serverErrors : ownErrors;

  const send = (sop?: string) =>
    start.mutateAsync({ skillId: skill.id, args: draft.value, confirm: needsConfirm, sop });
  const proceed = () => {
    if (needsConfirm) setConfirming(true);
    // The mutation's error is shown below; here it only ends.
    else send().catch(() => {});
  };
  const run = () => {
    if (blocked !== null || start.isPending || isConfirming) return;
    if (draft.mode === "json" && draft.problem !== null) return document.getElementById(jsonEditorId)?.focus();
    const wrong = checkArgs(schema, draft.value);
    setTried(true);
    if (wrong.length === 0) return proceed();
    if (draft.mode === "form" && wrong[0]) focusArg(wrong[0].path);
  };
  useShortcut("mod+enter", "Run the skill", run);

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        run();
      }}
      className="flex flex-col gap-4"
    >
      <ArgsPanel schema={schema} draft={draft} dispatch={dispatch} errors={errors} />
      <ArgErrors errors={errors} onSendAnyway={serverErrors.length === 0 ? proceed : undefined} />
      {start.error && isAboutThese && serverErrors.length === 0 && !isConfirming ? (
        <Notice tone="danger" title="The run was not started" announce>
          {errorText(start.error)}
        </Notice>
      ) : null}
      <div className="sticky bottom-(--bottombar-height) z-10 -mx-4 flex flex-wrap items-center gap-2 border-t bg-background px-4 py-3">
        <Button type="submit" variant="primary" pending={start.isPending} disabled={blocked !== null}>
          {waits ? "Ask to run" : "Run"} {skill.label ?? skill.name}
        </Button>
        <Kbd keys="mod+enter" className="max-md:hidden" />
        <CurlDialog skill={skill.toolName} args={draft.value} confirm={needsConfirm} />
      </div>
      <ConfirmRun open={isConfirming} onOpenChange={setConfirming} skill={skill} args={draft.value} onConfirm={send} />
    </form>
  );
}
