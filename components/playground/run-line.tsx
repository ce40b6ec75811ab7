import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { RunRating } from "@/components/traces/run-rating";
import { StateChip } from "@/components/ui/state-chip";
import { hasEnded, runQuery } from "@/lib/client/runs";

/** How a run stands now, with the way to it; one that waits for people leads to where they sign it. */
export function RunLine({ runId }: { runId: string }) {
  const { data: run } = useQuery(runQuery(runId));
  const id = encodeURIComponent(runId);
  return (
    <p className="flex min-h-6 flex-wrap items-center gap-x-3 gap-y-1 text-13">
      {run ? <StateChip state={run.state} /> : null}
      <Link href={`/runs/${id}`} className="text-primary hover:underline">
        Its run
      </Link>
      {run?.state === "awaiting_approval" ? (
        <Link href={`/approvals?run=${id}`} className="text-primary hover:underline">
          Who must sign it
        </Link>
      ) : null}
      {run && hasEnded(run.state) ? <RunRating runId={runId} /> : null}
    </p>
  );
}
