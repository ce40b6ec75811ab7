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

const soonMs = 10_000;

/** Jobs are looked at each second, and wait for those that are under way. */
const lateAfterSeconds = 10;

const columns: readonly Column<Job>[] = [
  {
    header: "Job",
    cellClassName: "py-2",
    cell: ({ title, everySeconds, last }) => (
      <>
        <span className="block font-medium">{title}</span>
        <span className="block text-muted-foreground text-xs">
          every {formatDuration(everySeconds * 1000).replace(".0 s", " s")}
          {last?.summary ? `, ${last.summary}` : ""}
        </span>
      </>
    ),
  },
  { header: "Last run", cellClassName: "whitespace-nowrap", cell: (job) => <LastRun job={job} /> },
  {
    header: "Took",
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
        {lateSeconds > lateAfterSeconds ? (
          <Badge tone="warning" className="ml-1.5">
            {formatDuration(lateSeconds * 1000)} late
          </Badge>
        ) : null}
      </>
    ),
  },
  actionsColumn((job) => <RunNow job={job} />),
];

/** The server's background work: what it does by itself, and when it last did. */
export function BackgroundJobs() {
  const query = useQuery(jobsQuery);
  return (
    <Section
      title="Background work"
      description="What the server does by itself. One process at a time does it; another takes over within 30 seconds."
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
    onDone: () => toast({ title: `“${title}” runs now.` }),
    failed: "The job was not started.",
  });
  return (
    <Button size="sm" pending={run.isPending} onClick={() => run.mutate()} aria-label={`Run “${title}” now`}>
      Run now
    </Button>
  );
}

function Leader({ leader }: { leader: JobList["leader"] }) {
  if (leader === null) return <span className="text-warning">No process does the background work right now.</span>;
  return (
    <>
      {leader.isThisProcess ? "The process that answered you does it: " : "Another process does it: "}
      <code className="break-all font-mono text-xs">{leader.holder}</code>
    </>
  );
}

function Next({ at }: { at: string }) {
  const now = useNow();
  return now === null || Date.parse(at) - now < soonMs ? "in a moment" : <RelativeTime value={at} />;
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
