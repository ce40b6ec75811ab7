import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { countOf } from "@/components/skills/skill-labels";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { SelectionBar } from "@/components/ui/selection-bar";
import { useToast } from "@/components/ui/toast";
import { cancelRuns } from "@/lib/client/runs";
import type { CancelRunsAnswer, Run } from "@/lib/runner/schema";
import type { RunSelection } from "./run-selection";

const maxSelected = 100;

export type NotCancelled = { run: Run; why: string };

type CancelRunsBarProps = { selection: RunSelection; onRefused: (runs: NotCancelled[]) => void };

export function CancelRunsBar({ selection: { chosen, choosable, setAll }, onRefused }: CancelRunsBarProps) {
  const [asked, setAsked] = useState<readonly Run[] | null>(null);
  const [reason, setReason] = useState("");
  const queries = useQueryClient();
  const { toast } = useToast();
  const cancel = useMutation({
    mutationFn: (runs: readonly Run[]) =>
      cancelRuns(
        runs.map(({ id }) => id),
        reason,
      ),
    onSuccess: ({ results }, runs) => {
      const refused = refusedAmong(results, runs);
      const done = results.length - refused.length;
      const isUnderWay = results.some((result) => result.ok && result.run.state === "running");
      const verb = isUnderWay ? (done === 1 ? "is being cancelled" : "are being cancelled") : "cancelled";
      if (done > 0) toast({ title: `${countOf(done, "run")} ${verb}.`, tone: "success" });
      onRefused(refused);
      setAll(false);
      setReason("");
      void queries.invalidateQueries({ queryKey: ["runs"] });
    },
  });
  if (chosen.length === 0 && asked === null) return null;
  const runs = asked ?? chosen;
  return (
    <SelectionBar
      label="Actions for selected runs"
      count={chosen.length}
      onClear={() => setAll(false)}
      className="min-h-11"
      dialogs={
        <ConfirmDialog
          open={asked !== null}
          onOpenChange={(open) => setAsked(open ? chosen : null)}
          title={`Cancel ${countOf(runs.length, "run")}?`}
          description="Running processes and their child processes are stopped. Queued runs never start. Changes already made are not undone."
          confirmLabel={`Cancel ${countOf(runs.length, "run")}`}
          cancelLabel="Keep runs"
          tone="danger"
          onConfirm={() => cancel.mutateAsync(runs)}
        >
          <ul className="mb-3 max-h-40 overflow-y-auto text-13">
            {runs.map((run) => (
              <li key={run.id} className="flex justify-between gap-4">
                <span className="truncate">{run.skill.label ?? run.skill.name}</span>
                <span className="shrink-0 text-muted-foreground">{run.caller.name}</span>
              </li>
            ))}
          </ul>
          <Field label="Reason" optional help="Recorded in the error of each run and in the audit log.">
            <Input value={reason} maxLength={500} onChange={({ target }) => setReason(target.value)} />
          </Field>
        </ConfirmDialog>
      }
    >
      <Button size="sm" variant="danger" disabled={chosen.length > maxSelected} onClick={() => setAsked(chosen)}>
        Cancel {countOf(chosen.length, "run")}
      </Button>
      {chosen.length < choosable.length ? (
        <Button size="sm" variant="ghost" onClick={() => setAll(true)}>
          Select all {choosable.length}
        </Button>
      ) : null}
      {chosen.length > maxSelected ? (
        <span className="text-13 text-muted-foreground">At most {maxSelected} at once</span>
      ) : null}
    </SelectionBar>
  );
}

function refusedAmong(results: CancelRunsAnswer["results"], runs: readonly Run[]): NotCancelled[] {
  return results.flatMap((result) => {
    const run = runs.find(({ id }) => id === result.id);
    return result.ok || !run ? [] : [{ run, why: result.problem.detail }];
  });
}
