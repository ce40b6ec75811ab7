"use client";

import { useNow } from "@/components/state/use-now";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { formatDuration } from "@/components/ui/format-time";
import { RelativeTime } from "@/components/ui/relative-time";
import { ActionsHeader, Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import type { Job } from "@/lib/client/jobs";

const momentMs = 10_000;
/** Jobs are looked at each second, and wait for those that are under way. */
const lateAfterSeconds = 10;

type JobTableProps = { jobs: readonly Job[]; asked: string | null; onRun: (name: string) => void };

export function JobTable({ jobs, asked, onRun }: JobTableProps) {
  return (
    <Table label="Background jobs">
      <TableHead>
        <tr>
          <TableHeader>Job</TableHeader>
          <TableHeader>Last run</TableHeader>
          <TableHeader align="right" className="max-md:hidden">
            Took
          </TableHeader>
          <TableHeader className="max-md:hidden">Next</TableHeader>
          <ActionsHeader />
        </tr>
      </TableHead>
      <TableBody>
        {jobs.map((job) => (
          <TableRow key={job.name}>
            <TableCell className="py-2">
              <span className="block font-medium">{job.title}</span>
              <span className="block text-muted-foreground text-xs">
                every {formatDuration(job.everySeconds * 1000).replace(".0 s", " s")}
                {job.last?.summary ? `, ${job.last.summary}` : ""}
              </span>
            </TableCell>
            <TableCell className="whitespace-nowrap">
              <LastRun job={job} />
            </TableCell>
            <TableCell numeric muted className="max-md:hidden">
              {job.last?.durationMs == null ? "" : formatDuration(job.last.durationMs)}
            </TableCell>
            <TableCell muted className="max-md:hidden">
              <Next at={job.nextAt} />
              {job.lateSeconds > lateAfterSeconds ? (
                <Badge tone="warning" className="ml-1.5">
                  {formatDuration(job.lateSeconds * 1000)} late
                </Badge>
              ) : null}
            </TableCell>
            <TableCell align="right">
              <Button
                size="sm"
                pending={asked === job.name}
                onClick={() => onRun(job.name)}
                aria-label={`Run “${job.title}” now`}
              >
                Run now
              </Button>
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

function Next({ at }: { at: string }) {
  const now = useNow();
  return now === null || Date.parse(at) - now < momentMs ? "in a moment" : <RelativeTime value={at} />;
}

function LastRun({ job: { last, running } }: { job: Job }) {
  if (running) return <Badge tone="accent">running</Badge>;
  if (last === null) return <span className="text-muted-foreground">never</span>;
  return (
    <span className="inline-flex flex-wrap items-center gap-1.5">
      {last.outcome === "failed" ? <Badge tone="danger">failed</Badge> : <Badge>ok</Badge>}
      <RelativeTime value={last.startedAt} className="text-muted-foreground" />
    </span>
  );
}
