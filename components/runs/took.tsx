"use client";

import { useNow } from "@/components/state/use-now";
import { formatDuration } from "@/components/ui/format-time";
import type { Run } from "@/lib/client/runs";

/** How long it ran, or has been running. */
export function Took({ run }: { run: Run }) {
  const now = useNow();
  if (run.durationMs !== null) return formatDuration(run.durationMs);
  if (run.state !== "running" || run.startedAt === null || now === null) return "–";
  return <span className="text-muted-foreground">{formatDuration(Math.max(0, now - Date.parse(run.startedAt)))}</span>;
}
