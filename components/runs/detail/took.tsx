"use client";

import { useNow } from "@/components/state/use-now";
import { formatDuration } from "@/components/ui/format-time";
import type { Run } from "@/lib/client/runs";

/** How long it ran, or has been running. */
export function Took({ run }: { run: Run }) {
  const now = useNow();
  if (run.durationMs !== null) return formatDuration(run.durationMs);
  const begun = run.state === "running" && run.startedAt !== null ? Date.parse(run.startedAt) : null;
  // The clock of the page is coarse: a run that has just begun has no time to show yet.
  if (begun === null || now === null || now - begun < 1000) return "–";
  return <span className="text-muted-foreground">{formatDuration(now - begun)}</span>;
}
