import { Clock } from "lucide-react";
import Link from "next/link";
import { type Column, DataTable } from "@/components/lists/data-table";
import { Checkbox } from "@/components/ui/checkbox";
import { ClassChip } from "@/components/ui/class-chip";
import { RelativeTime } from "@/components/ui/relative-time";
import { StateChip } from "@/components/ui/state-chip";
import type { Run } from "@/lib/runner/schema";
import { Took } from "../detail/run-times";
import type { RunSelection } from "./run-selection";

type RunTableProps = { runs: readonly Run[]; active: number; selection: RunSelection };

export function RunTable({ runs, active, selection }: RunTableProps) {
  const { choosable } = selection;
  return (
    <DataTable
      label="Runs"
      rows={runs}
      rowId={({ id }) => id}
      rowProps={(run, index) => ({
        active: index === active,
        selected: selection.isChosen(run),
        "data-row-index": index,
        className: "relative",
        onClickCapture: (event) => {
          // Otherwise Shift+click on the link opens a new window.
          if (!event.shiftKey || !selection.isChoosable(run)) return;
          event.preventDefault();
          event.stopPropagation();
          selection.toggle(run, { range: true });
        },
      })}
      columns={choosable.length === 0 ? columns : [selectionColumn(selection), ...columns]}
    />
  );
}

function selectionColumn(selection: RunSelection): Column<Run> {
  const { chosen, choosable } = selection;
  return {
    id: "selection",
    className: "w-9 max-md:pr-0",
    header: (
      <Checkbox
        aria-label="Select all runs that can be cancelled"
        checked={chosen.length === 0 ? false : chosen.length === choosable.length ? true : "indeterminate"}
        onCheckedChange={(all) => selection.setAll(all === true)}
      />
    ),
    cell: (run) =>
      selection.isChoosable(run) ? (
        <Checkbox
          aria-label={`Select run of ${run.skill.label ?? run.skill.name}`}
          checked={selection.isChosen(run)}
          onClick={() => selection.toggle(run)}
          className="z-10"
        />
      ) : null,
  };
}

const columns: readonly Column<Run>[] = [
  {
    header: "State",
    className: "max-md:hidden",
    headerClassName: "md:w-40",
    cell: (run) => <StateChip state={run.state} />,
  },
  { header: "Skill", cellClassName: "max-w-64 max-md:w-full max-md:max-w-0", cell: (run) => <SkillCell run={run} /> },
  { header: "Class", className: "max-md:hidden", cell: (run) => <ClassChip value={run.class} /> },
  {
    header: "Started by",
    className: "max-md:hidden",
    cellClassName: "max-w-48 truncate",
    cellTitle: (run) => run.caller.name,
    cell: (run) => run.caller.name,
  },
  { header: "Worker", muted: true, className: "max-lg:hidden", cell: (run) => run.worker?.name ?? "–" },
  {
    header: "Queued",
    numeric: true,
    muted: true,
    className: "max-md:hidden",
    cell: (run) => <RelativeTime value={run.queuedAt} />,
  },
  { header: "Duration", numeric: true, cell: (run) => <Took run={run} /> },
];

function SkillCell({ run }: { run: Run }) {
  return (
    <>
      {/* The link covers its row, so that the whole row is clickable. */}
      <Link
        href={`/runs/${run.id}`}
        className="block truncate font-medium after:absolute after:inset-0 hover:underline"
        title={run.skill.name}
      >
        {run.skill.label ?? run.skill.name}{" "}
        {run.scheduleId === null ? null : (
          <Clock aria-label="Started by a schedule" role="img" className="ml-1 inline size-3.5 text-muted-foreground" />
        )}
      </Link>
      {run.stepKey === null ? null : (
        <span className="block truncate text-muted-foreground text-xs">Step {run.stepKey}</span>
      )}
      <span className="flex min-w-0 items-center gap-2 py-0.5 text-muted-foreground text-xs md:hidden">
        <StateChip state={run.state} />
        <RelativeTime value={run.queuedAt} className="shrink-0" />
        <span className="truncate">{run.caller.name}</span>
      </span>
    </>
  );
}
