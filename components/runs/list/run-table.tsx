import { Clock } from "lucide-react";
import Link from "next/link";
import { Took } from "@/components/runs/detail/run-times";
import { Checkbox } from "@/components/ui/checkbox";
import { ClassChip } from "@/components/ui/class-chip";
import { RelativeTime } from "@/components/ui/relative-time";
import { StateChip } from "@/components/ui/state-chip";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import type { Run } from "@/lib/client/runs";
import type { RunSelection } from "./run-selection";

type RunTableProps = { runs: readonly Run[]; active: number; selection: RunSelection };

export function RunTable({ runs, active, selection }: RunTableProps) {
  const { chosen, choosable } = selection;
  return (
    <Table label="Runs">
      <TableHead>
        <tr>
          <TableHeader className="w-9 max-md:pr-0">
            {choosable.length > 0 ? (
              <Checkbox
                aria-label="Select all runs that can be cancelled"
                checked={chosen.length === 0 ? false : chosen.length === choosable.length ? true : "indeterminate"}
                onCheckedChange={(all) => selection.setAll(all === true)}
              />
            ) : (
              <span className="sr-only">Selection</span>
            )}
          </TableHeader>
          <TableHeader className="max-md:hidden md:w-40">State</TableHeader>
          <TableHeader>Skill</TableHeader>
          <TableHeader className="max-md:hidden">Class</TableHeader>
          <TableHeader className="max-md:hidden">Started by</TableHeader>
          <TableHeader className="max-lg:hidden">Worker</TableHeader>
          <TableHeader align="right" className="max-md:hidden">
            Queued
          </TableHeader>
          <TableHeader align="right">Took</TableHeader>
        </tr>
      </TableHead>
      <TableBody>
        {runs.map((run, index) => (
          <TableRow
            key={run.id}
            active={index === active}
            selected={selection.isChosen(run)}
            data-row-index={index}
            className="relative"
            onClickCapture={(event) => {
              // Else the row's link opens a window of its own.
              if (!event.shiftKey || !selection.isChoosable(run)) return;
              event.preventDefault();
              event.stopPropagation();
              selection.toggle(run, { range: true });
            }}
          >
            <TableCell className="w-9 max-md:pr-0">
              {selection.isChoosable(run) ? (
                <Checkbox
                  aria-label={`Select the run of ${run.skill.name}`}
                  checked={selection.isChosen(run)}
                  onClick={() => selection.toggle(run)}
                  className="z-10"
                />
              ) : null}
            </TableCell>
            <TableCell className="max-md:hidden">
              <StateChip state={run.state} />
            </TableCell>
            <TableCell className="max-w-64 max-md:w-full max-md:max-w-0">
              {/* The link covers its row, so that the whole row can be pressed. */}
              <Link
                href={`/runs/${run.id}`}
                className="block truncate font-medium after:absolute after:inset-0 hover:underline"
                title={run.skill.name}
              >
                {run.skill.label ?? run.skill.name}{" "}
                {run.scheduleId === null ? null : (
                  <Clock
                    aria-label="Started by a schedule"
                    role="img"
                    className="ml-1 inline size-3.5 text-muted-foreground"
                  />
                )}
              </Link>
              {run.stepKey === null ? null : (
                <span className="block truncate text-muted-foreground text-xs">Step {run.stepKey}</span>
              )}
              <span className="flex min-w-0 items-center gap-2 py-0.5 text-muted-foreground text-xs md:hidden">
                <StateChip state={run.state} />
                <span className="truncate">
                  {run.caller.name}, <RelativeTime value={run.queuedAt} />
                </span>
              </span>
            </TableCell>
            <TableCell className="max-md:hidden">
              <ClassChip value={run.class} />
            </TableCell>
            <TableCell className="max-w-48 truncate max-md:hidden" title={run.caller.name}>
              {run.caller.name}
            </TableCell>
            <TableCell muted className="max-lg:hidden">
              {run.worker?.name ?? "–"}
            </TableCell>
            <TableCell numeric muted className="max-md:hidden">
              <RelativeTime value={run.queuedAt} />
            </TableCell>
            <TableCell numeric>
              <Took run={run} />
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}
