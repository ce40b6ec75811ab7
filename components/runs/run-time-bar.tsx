"use client";

import { useEffect, useState } from "react";
import { formatDuration } from "@/components/ui/format-time";
import { hasEnded, type Run } from "@/lib/client/runs";
import { timesOf } from "./run-times";

const tickMs = 250;

/** Waiting and running, to scale; it grows while the run goes on. */
export function RunTimeBar({ run }: { run: Run }) {
  const now = useTicking(!hasEnded(run.state));
  const { waitedMs, ranMs } = timesOf(run, now ?? Date.parse(run.queuedAt));
  const total = Math.max(1, waitedMs + (ranMs ?? 0));
  const waitedText = `${formatDuration(waitedMs)} waiting`;
  const ranText = ranMs === null ? null : `${formatDuration(ranMs)} running`;
  return (
    <div className="flex min-w-0 flex-1 flex-col gap-1 max-md:order-last max-md:basis-full">
      <div aria-hidden className="flex h-1.5 gap-px overflow-hidden rounded-full bg-accent">
        <div className="bg-muted-foreground/50" style={{ width: `${(waitedMs / total) * 100}%` }} />
        <div className="flex-1 bg-primary" hidden={ranMs === null} />
      </div>
      <p className="flex justify-between gap-3 text-muted-foreground text-xs tabular-nums">
        <span>{waitedText}</span>
        {ranText ? <span className="text-foreground">{ranText}</span> : null}
      </p>
    </div>
  );
}

function useTicking(isOn: boolean): number | null {
  const [now, setNow] = useState<number | null>(null);
  useEffect(() => {
    setNow(Date.now());
    if (!isOn) return;
    const timer = setInterval(() => setNow(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, [isOn]);
  return now;
}
