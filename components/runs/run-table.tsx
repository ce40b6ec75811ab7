import Link from "next/link";
import { ClassChip } from "@/components/ui/class-chip";
import { RelativeTime } from "@/components/ui/relative-time";
import { StateChip } from "@/components/ui/state-chip";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import type { Run } from "@/lib/client/runs";
import { Took } from "./took";

type RunTableProps = { runs: readonly Run[]; active: number };

export function RunTable({ runs, active }: RunTableProps) {
  return (
    <Table label="Runs">
      <TableHead>
        <tr>
          <TableHeader className="md:w-40">State</TableHeader>
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
          <TableRow key={run.id} active={index === active} data-row-index={index} className="relative">
            <TableCell>
              <StateChip state={run.state} />
            </TableCell>
            <TableCell className="max-w-64 max-md:w-full max-md:max-w-0">
              {/* The link covers its row, so that the whole row can be pressed. */}
              <Link
                href={`/runs/${run.id}`}
                className="block truncate font-medium after:absolute after:inset-0 hover:underline"
                title={run.skill.name}
              >
                {run.skill.label ?? run.skill.name}
              </Link>
              <span className="block truncate text-muted-foreground text-xs md:hidden">
                {run.caller.name}, <RelativeTime value={run.queuedAt} />
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
