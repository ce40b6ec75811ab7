"use client";

import { useQuery } from "@tanstack/react-query";
import { useAction } from "@/components/forms/use-action";
import { actionsColumn, type Column, DataTable } from "@/components/lists/data-table";
import { QueryState } from "@/components/state/query-state";
import { useNow } from "@/components/state/use-now";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { formatDuration } from "@/components/ui/format-time";
import { RelativeTime } from "@/components/ui/relative-time";
import { Section } from "@/components/ui/section";
import { useToast } from "@/components/ui/toast";
import { jobsQuery, runJobNow } from "@/lib/client/system";
import type { Job, JobList } from "@/lib/jobs/schema";
import { LATE_AFTER_SECONDS } from "./problems";

const soonMs = 10_000;

const columns: readonly Column<Job>[] = [
  {
    header: "Job",
    cellClassName: "py-2",
    cell: ({ title, everySeconds, last }) => (
      <>
        <span className="block font-medium">{title}</span>
        <span className="block text-muted-foreground text-xs">
          Every {formatDuration(everySeconds * 1000).replace(".0 s", " s")}
          {last?.summary ? `, ${last.summary}` : ""}
        </span>
      </>
    ),
  },
  { header: "Last run", cellClassName: "whitespace-nowrap", cell: (job) => <LastRun job={job} /> },
  {
    header: "Duration",
    numeric: true,
    muted: true,
    className: "max-md:hidden",
    cell: ({ last }) => (last?.durationMs == null ? "" : formatDuration(last.durationMs)),
  },
  {
    header: "Next",
    muted: true,
    className: "max-md:hidden",
    cell: ({ nextAt, lateSeconds }) => (
      <>
        <Next at={nextAt} />
        {lateSeconds > LATE_AFTER_SECONDS ? (
          <Badge tone="warning" className="ml-1.5">
            {formatDuration(lateSeconds * 1000)} late
          </Badge>
        ) : null}
      </>
    ),
  },
  actionsColumn((job) => <RunNow job={job} />),
];

export function BackgroundJobs() {
  const query = useQuery(jobsQuery);
  return (
    <Section
      title="Background jobs"
      description="Jobs that the server runs on its own. One process runs them; if it stops, another takes over within 30 seconds."
    >
      <QueryState query={query} skeletonRows={5} errorTitle="The jobs could not be loaded.">
        {({ leader, items }) => (
          <>
            <p className="text-13">
              <Leader leader={leader} />
            </p>
            <DataTable label="Background jobs" rows={items} rowId={({ name }) => name} columns={columns} />
          </>
        )}
      </QueryState>
    </Section>
  );
}

function RunNow({ job: { name, title } }: { job: Job }) {
  const { toast } = useToast();
  const run = useAction(() => runJobNow(name), {
    refresh: [jobsQuery.queryKey],
    onDone: () => toast({ title: `“${title}” was started.` }),
    failed: `“${title}” was not started.`,
  });
  return (
    <Button size="sm" pending={run.isPending} onClick={() => run.mutate()} aria-label={`Run “${title}” now`}>
      Run now
    </Button>
  );
}

function Leader({ leader }: { leader: JobList["leader"] }) {
  if (leader === null) return <span className="text-warning">No process runs the background jobs right now.</span>;
  return (
    <>
      {leader.isThisProcess
        ? "They run in the process that served this page."
        : `They run in another process, ${leader.holder}.`}
    </>
  );
}

function Next({ at }: { at: string }) {
  const now = useNow();
  return now === null || Date.parse(at) - now < soonMs ? "soon" : <RelativeTime value={at} />;
}

function LastRun({ job: { last, running } }: { job: Job }) {
  if (running) return <Badge tone="accent">Running</Badge>;
  if (last === null) return <span className="text-muted-foreground">Never</span>;
  return (
    <span className="inline-flex items-center gap-1.5">
      {last.outcome === "failed" ? <Badge tone="danger">Failed</Badge> : <Badge className="max-md:hidden">OK</Badge>}
      <RelativeTime value={last.startedAt} className="text-muted-foreground" />
    </span>
  );
}
