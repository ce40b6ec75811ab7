"use client";

import type { Dispatch, ReactNode } from "react";
import { useShortcut } from "@/components/shell/use-shortcut";
import { errorText } from "@/components/state/describe-error";
import { useMe } from "@/components/state/use-me";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/kbd";
import { Notice } from "@/components/ui/notice";
import type { Skill } from "@/lib/skills/schema";
import { ArgErrors } from "./arg-errors";
import type { ArgsAction, ArgsDraft } from "./args-draft";
import { ArgsPanel } from "./args-panel";
import { ConfirmRun } from "./confirm-run";
import { CopyAsDialog } from "./copy-as-dialog";
import { RunOnEdgesDialog } from "./run-on-edges-dialog";
import { startOutcome } from "./start-words";
import { useEdgeChoices } from "./use-edge-choices";
import type { RunStart } from "./use-run-start";

type RunFormProps = {
  skill: Skill;
  draft: ArgsDraft;
  dispatch: Dispatch<ArgsAction>;
  start: RunStart;
  /** Why it cannot be run now. */
  blocked: string | null;
  /** Whether the JSON stands beside the form and not in its place. */
  isJsonBeside: boolean;
  /** Beside the heading. */
  fill: ReactNode;
  /** Above the button: what was changed since. */
  since: ReactNode;
};

/** The arguments, what is wrong with them, and the button. */
export function RunForm({ skill, draft, dispatch, start, blocked, isJsonBeside, fill, since }: RunFormProps) {
  const waits = startOutcome(useMe(), skill.class) === "park";
  const schema = useEdgeChoices(skill, start.schema);
  useShortcut("mod+enter", "Run the skill", start.run);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        start.run();
      }}
      className="flex flex-col gap-4"
    >
      <ArgsPanel
        schema={schema}
        draft={draft}
        dispatch={dispatch}
        errors={start.errors}
        isJsonBeside={isJsonBeside}
        fill={fill}
      />
      <ArgErrors errors={start.errors} onSendAnyway={start.isServersWord ? undefined : start.proceed} />
      {start.refusal ? (
        <Notice tone="danger" title="The run was not started" announce>
          {errorText(start.refusal)}
        </Notice>
      ) : null}
      <div className="sticky bottom-(--bottombar-height) z-10 -mx-4 flex flex-wrap items-center gap-2 border-t bg-background px-4 py-3">
        {since}
        <Button type="submit" variant="primary" pending={start.isPending} disabled={blocked !== null}>
          {waits ? "Ask to run" : "Run"} {skill.label ?? skill.name}
        </Button>
        <Kbd keys="mod+enter" className="max-md:hidden" />
        <RunOnEdgesDialog skill={skill} args={draft.value} disabled={blocked !== null} />
        <CopyAsDialog skill={skill.toolName} args={draft.value} confirm={start.needsConfirm} />
      </div>
      <ConfirmRun
        open={start.isConfirming}
        onOpenChange={start.setConfirming}
        skill={skill}
        args={draft.value}
        onConfirm={start.send}
      />
    </form>
  );
}
