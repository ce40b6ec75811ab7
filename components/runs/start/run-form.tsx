import { useMutation, useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type Dispatch, type ReactNode, useId, useState } from "react";
import { useShortcut } from "@/components/shell/use-shortcut";
import { errorText } from "@/components/state/describe-error";
import { QueryState } from "@/components/state/query-state";
import { useMe } from "@/components/state/use-me";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Dialog, DialogClose, DialogContent } from "@/components/ui/dialog";
import { Kbd } from "@/components/ui/kbd";
import { Notice } from "@/components/ui/notice";
import { edgesQuery, startRunGroup } from "@/lib/client/runs";
import type { Skill } from "@/lib/skills/schema";
import type { ArgsAction, ArgsDraft } from "./args-draft";
import { ArgsPanel } from "./args-panel";
import { ConfirmRun } from "./confirm-run";
import { CopyAsDialog } from "./copy-as-dialog";
import { startOutcome } from "./run-terms";
import { describeEdge, useEdgeChoices } from "./use-edge-choices";
import type { RunStart } from "./use-run-start";

type RunFormProps = {
  skill: Skill;
  draft: ArgsDraft;
  dispatch: Dispatch<ArgsAction>;
  start: RunStart;
  blocked: string | null;
  isJsonBeside: boolean;
  fill: ReactNode;
  /** Shown above the button when the arguments differ from the shown run. */
  since: ReactNode;
};

export function RunForm({ skill, draft, dispatch, start, blocked, isJsonBeside, fill, since }: RunFormProps) {
  const waits = startOutcome(useMe(), skill.class) === "park";
  const schema = useEdgeChoices(skill, start.schema);
  useShortcut("mod+enter", "Run skill", start.run);
  useShortcut("r", "Run skill", start.run, { enabled: blocked === null });
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
        onSendAnyway={start.isFromServer ? undefined : start.proceed}
      />
      {start.refusal ? (
        <Notice tone="danger" title="The run was not started" announce>
          {errorText(start.refusal)}
        </Notice>
      ) : null}
      <div className="sticky bottom-(--bottombar-height) z-10 -mx-4 flex flex-wrap items-center gap-2 border-t bg-background px-4 py-3">
        {since}
        <Button
          type="submit"
          variant={skill.class === "dangerous" ? "danger" : "primary"}
          pending={start.isPending}
          disabled={blocked !== null}
        >
          {waits ? "Request run of" : "Run"} {skill.label ?? skill.name}
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

type RunOnEdgesProps = { skill: Skill; args: Record<string, unknown>; disabled: boolean };

/** For skills of scope host: runs the same arguments on several edges. */
function RunOnEdgesDialog({ skill, args, disabled }: RunOnEdgesProps) {
  const [isOpen, setOpen] = useState(false);
  if (skill.scope !== "host") return null;
  return (
    <>
      <Button disabled={disabled} onClick={() => setOpen(true)}>
        Run on several edges
      </Button>
      <Dialog open={isOpen} onOpenChange={setOpen}>
        {isOpen ? <ChooseEdges skill={skill} args={args} /> : null}
      </Dialog>
    </>
  );
}

function ChooseEdges({ skill, args }: Omit<RunOnEdgesProps, "disabled">) {
  const id = useId();
  const router = useRouter();
  const query = useQuery(edgesQuery(skill.id));
  const [changed, setChanged] = useState<ReadonlyMap<string, boolean>>(new Map());
  const chosen = (query.data ?? []).filter((edge) => changed.get(edge.id) ?? edge.online);
  const { edge_id: _one, ...own } = args;
  const start = useMutation({
    mutationFn: () =>
      startRunGroup({
        skillId: skill.id,
        args: own,
        edges: chosen.map((edge) => edge.id),
        confirm: skill.class !== "safe",
      }),
    onSuccess: ({ groupId }) => router.push(`/runs/groups/${groupId}`),
  });
  const changes = skill.class === "safe" ? "" : ` The skill is ${skill.class} and makes changes on each of them.`;
  return (
    <DialogContent
      title="Run on several edges"
      description={`Starts ${skill.label ?? skill.name} on each selected edge with the arguments in the form.${changes}`}
      footer={
        <>
          <DialogClose asChild>
            <Button>Cancel</Button>
          </DialogClose>
          <Button
            variant={skill.class === "safe" ? "primary" : "danger"}
            pending={start.isPending}
            disabled={chosen.length === 0}
            onClick={() => start.mutate()}
          >
            Run on {chosen.length} {chosen.length === 1 ? "edge" : "edges"}
          </Button>
        </>
      }
    >
      <QueryState
        query={query}
        errorTitle="The edges could not be loaded."
        isEmpty={(edges) => edges.length === 0}
        empty={<p className="text-13 text-muted-foreground">No edge offers this skill</p>}
      >
        {(edges) => (
          <ul aria-label="Edges" className="flex flex-col gap-1">
            {edges.map((edge) => (
              <li key={edge.id} className="flex min-h-8 items-center gap-2.5 text-13">
                <Checkbox
                  id={`${id}-${edge.id}`}
                  checked={changed.get(edge.id) ?? edge.online}
                  onCheckedChange={(on) => setChanged(new Map(changed).set(edge.id, on === true))}
                />
                <label htmlFor={`${id}-${edge.id}`}>{describeEdge(edge)}</label>
              </li>
            ))}
          </ul>
        )}
      </QueryState>
      {start.error ? (
        <Notice tone="danger" title="No run was started" announce>
          {errorText(start.error)}
        </Notice>
      ) : null}
    </DialogContent>
  );
}
