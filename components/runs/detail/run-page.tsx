"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { JsonView } from "@/components/json/json-view";
import { ConfirmRun } from "@/components/runs/start/confirm-run";
import { CopyAsDialog } from "@/components/runs/start/copy-as-dialog";
import { useStartRun } from "@/components/runs/start/use-run-start";
import { useCrumbs } from "@/components/shell/crumbs";
import { Page } from "@/components/shell/page";
import { useShortcut } from "@/components/shell/use-shortcut";
import { errorText } from "@/components/state/describe-error";
import { useUrlParams } from "@/components/state/use-url-params";
import { Button } from "@/components/ui/button";
import { ClassChip } from "@/components/ui/class-chip";
import { useToast } from "@/components/ui/toast";
import { hasEnded, newestRunsQuery, runQuery } from "@/lib/client/runs";
import type { Run } from "@/lib/runner/schema";
import { RunCompare } from "./run-compare";
import { RunFacts } from "./run-facts";
import { RunView } from "./run-view";

export function RunPage({ runId }: { runId: string }) {
  const { data: run } = useQuery(runQuery(runId));
  const [params, setParams] = useUrlParams();
  const compared = params.get("compare");
  const name = run ? (run.skill.label ?? run.skill.name) : "Run";
  useCrumbs([{ label: "Runs", href: "/runs" }, { label: run ? name : runId.slice(0, 8) }]);
  const compare = (id: string | null) => setParams({ compare: id }, { push: true });
  return (
    <Page
      title={name}
      width="full"
      aside={run ? <ClassChip value={run.class} /> : null}
      actions={run ? <RunActions run={run} onCompare={compare} isComparing={compared !== null} /> : null}
    >
      {run && compared !== null ? (
        <RunCompare run={run} otherId={compared === "choose" ? "" : compared} onChoose={compare} />
      ) : (
        <div className="grid items-start gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,1fr)_minmax(18rem,24rem)]">
          <RunView key={runId} runId={runId} />
          {run ? (
            <aside aria-label="About this run" className="flex min-w-0 flex-col gap-5">
              <RunFacts run={run} />
              {/* The approval shows them, before its decision. */}
              {run.state === "awaiting_approval" ? null : (
                <JsonView value={run.args} label="Arguments" filename={`run-${run.id}-arguments.json`} wrap />
              )}
            </aside>
          ) : null}
        </div>
      )}
    </Page>
  );
}

type RunActionsProps = { run: Run; onCompare: (id: string | null) => void; isComparing: boolean };

function RunActions({ run, onCompare, isComparing }: RunActionsProps) {
  const router = useRouter();
  const compare = useComparePrevious(run, onCompare, { enabled: !isComparing });
  const isWaiting = run.state === "awaiting_approval";
  const editAddress = `/skills/${encodeURIComponent(run.skill.name)}/run?from=${run.id}`;
  useShortcut("e", "Edit arguments and run", () => router.push(editAddress));
  useShortcut("c", "Compare with the previous run", compare, { enabled: !isComparing && !isWaiting });
  return (
    <>
      <CopyAsDialog skill={run.skill.name} args={run.args} confirm={run.class !== "safe"} className="" />
      {isComparing || isWaiting ? null : <Button onClick={compare}>Compare</Button>}
      <Button asChild>
        <Link href={`/audit?run=${run.id}`}>Audit</Link>
      </Button>
      <Button asChild>
        <Link href={editAddress}>Edit and run</Link>
      </Button>
      {isWaiting ? null : <RunAgain run={run} />}
    </>
  );
}

/** Starts a new run with the same arguments on the same edge; mutating and dangerous runs are confirmed again. */
function RunAgain({ run }: { run: Run }) {
  const router = useRouter();
  const { toast } = useToast();
  const [isConfirming, setConfirming] = useState(false);
  const start = useStartRun((next) => router.push(`/runs/${next.id}`));
  const isSafe = run.class === "safe";
  const send = (sop?: string) =>
    start.mutateAsync({
      skillId: run.skill.id,
      args: run.args,
      confirm: !isSafe,
      sop,
      ...(run.target ? { workerId: run.target.id } : {}),
    });
  const again = () => {
    if (start.isPending || isConfirming) return;
    if (!isSafe) return setConfirming(true);
    send().catch((error: unknown) =>
      toast({ tone: "danger", title: "The run was not started.", description: errorText(error) }),
    );
  };
  useShortcut("r", "Run again", again);
  return (
    <>
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

/**
 * Returns a handler that compares a run with the previous one, or opens the picker (`choose`) when there is none. Does
 * nothing when the user opened another run or page meanwhile.
 */
export function useComparePrevious(
  run: Pick<Run, "id" | "queuedAt" | "skill">,
  onCompare: (id: string) => void,
  { enabled }: { enabled: boolean },
): () => Promise<void> {
  const queries = useQueryClient();
  const newest = newestRunsQuery({ skill: run.skill.id }, 30);
  useQuery({ ...newest, enabled });
  const shown = useRef<string | null>(null);
  useEffect(() => {
    shown.current = run.id;
    return () => {
      shown.current = null;
    };
  }, [run.id]);
  return async () => {
    const page = await queries.fetchQuery(newest).catch(() => queries.getQueryData(newest.queryKey));
    if (shown.current !== run.id) return;
    const previous = page?.items.find((other) => other.queuedAt < run.queuedAt && other.id !== run.id);
    onCompare(previous?.id ?? "choose");
  };
}
