"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { JsonView } from "@/components/json/json-view";
import { useCrumbs } from "@/components/shell/crumbs";
import { Page } from "@/components/shell/page";
import { errorText } from "@/components/state/describe-error";
import { Button } from "@/components/ui/button";
import { ClassChip } from "@/components/ui/class-chip";
import { useToast } from "@/components/ui/toast";
import { hasEnded, type Run, runQuery } from "@/lib/client/runs";
import { ConfirmRun } from "./confirm-run";
import { RunFacts } from "./run-facts";
import { RunView } from "./run-view";
import { useStartRun } from "./use-start-run";

/** One run on a page of its own. */
export function RunPage({ runId }: { runId: string }) {
  const { data: run } = useQuery(runQuery(runId));
  const name = run ? (run.skill.label ?? run.skill.name) : "Run";
  useCrumbs([{ label: "Runs", href: "/runs" }, { label: run ? name : runId.slice(0, 8) }]);
  return (
    <Page
      title={name}
      width="full"
      aside={run ? <ClassChip value={run.class} /> : null}
      actions={run ? <RunAgain run={run} /> : null}
    >
      <div className="grid items-start gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,1fr)_minmax(18rem,24rem)]">
        <RunView key={runId} runId={runId} />
        {run ? (
          <aside aria-label="About this run" className="flex min-w-0 flex-col gap-5">
            <RunFacts run={run} />
            <JsonView value={run.args} label="Arguments" filename={`run-${run.id}-arguments.json`} wrap />
          </aside>
        ) : null}
      </div>
    </Page>
  );
}

function RunAgain({ run }: { run: Run }) {
  const router = useRouter();
  const { toast } = useToast();
  const [isConfirming, setConfirming] = useState(false);
  const start = useStartRun((next) => router.push(`/runs/${next.id}`));
  const isSafe = run.class === "safe";
  const send = (sop?: string) => start.mutateAsync({ skillId: run.skill.id, args: run.args, confirm: !isSafe, sop });
  const again = () => {
    if (!isSafe) return setConfirming(true);
    send().catch((error: unknown) =>
      toast({ tone: "danger", title: "The run was not started.", description: errorText(error) }),
    );
  };
  return (
    <>
      <Button asChild>
        <Link href={`/skills/${encodeURIComponent(run.skill.name)}/run?from=${run.id}`}>Edit and run</Link>
      </Button>
      <Button
        variant={hasEnded(run.state) ? "primary" : "secondary"}
        pending={start.isPending && !isConfirming}
        onClick={again}
      >
        Run again
      </Button>
      <ConfirmRun
        open={isConfirming}
        onOpenChange={setConfirming}
        skill={{ ...run.skill, class: run.class }}
        args={run.args}
        onConfirm={send}
      />
    </>
  );
}
