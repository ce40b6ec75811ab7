"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { errorText } from "@/components/state/describe-error";
import { QueryState } from "@/components/state/query-state";
import { useNow } from "@/components/state/use-now";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { formatDuration } from "@/components/ui/format-time";
import { RelativeTime } from "@/components/ui/relative-time";
import { Section } from "@/components/ui/section";
import { ActionsHeader, Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import { useToast } from "@/components/ui/toast";
import { type Job, type JobList, jobsQuery, runJobNow } from "@/lib/client/jobs";

const momentMs = 10_000;

/** Jobs are looked at each second, and wait for those that are under way. */
const lateAfterSeconds = 10;

type JobTableProps = { jobs: readonly Job[]; asked: string | null; onRun: (name: string) => void };

/** The server's background work: what it does by itself, and when it last did. */
export function SystemSection() {
  const query = useQuery(jobsQuery);
  const queries = useQueryClient();
  const { toast } = useToast();
  const run = useMutation({
    mutationFn: runJobNow,
    onSuccess: (job) => {
      toast({ title: `“${job.title}” runs now.` });
      return queries.invalidateQueries({ queryKey: jobsQuery.queryKey });
    },
    onError: (error) => toast({ tone: "danger", title: "The job was not started.", description: errorText(error) }),
  });
  return (
    <Section
      title="Background work"
      description="What the server does by itself. One process at a time does it; another takes over within 30 seconds."
    >
      <QueryState query={query} skeletonRows={5} errorTitle="The jobs could not be loaded.">
        {(list) => (
          <>
            <p className="text-13">
              <Leader leader={list.leader} />
            </p>
            <JobTable
              jobs={list.items}
              asked={run.isPending ? run.variables : null}
              onRun={(name) => run.mutate(name)}
            />
          </>
        )}
      </QueryState>
    </Section>
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

function JobTable({ jobs, asked, onRun }: JobTableProps) {
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
