"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { errorText } from "@/components/state/describe-error";
import { QueryState } from "@/components/state/query-state";
import { Section } from "@/components/ui/section";
import { SkeletonRows } from "@/components/ui/skeleton-rows";
import { useToast } from "@/components/ui/toast";
import { type JobList, jobsQuery, runJobNow } from "@/lib/client/jobs";
import { JobTable } from "./jobs-table";

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
      <QueryState query={query} loading={<SkeletonRows rows={5} />} errorTitle="The jobs could not be loaded.">
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
