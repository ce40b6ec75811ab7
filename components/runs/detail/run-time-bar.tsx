"use client";

import { useEffect, useState } from "react";
import { formatDuration } from "@/components/ui/format-time";
import { hasEnded, type Run } from "@/lib/client/runs";
import { timesOf } from "./run-times";

const tickMs = 250;

/** Queue, sandbox and run, to scale; it grows while the run goes on. */
export function RunTimeBar({ run }: { run: Run }) {
  const now = useTicking(!hasEnded(run.state));
  const { waitedMs, sandboxMs, ranMs } = timesOf(run, now ?? Date.parse(run.queuedAt));
  const total = Math.max(1, waitedMs + (sandboxMs ?? 0) + (ranMs ?? 0));
  const share = (ms: number) => `${(ms / total) * 100}%`;
  return (
    <div className="flex min-w-0 flex-1 flex-col gap-1 max-md:order-last max-md:basis-full">
      <div aria-hidden className="flex h-1.5 gap-px overflow-hidden rounded-full bg-accent">
        <div className="bg-muted-foreground/50" style={{ width: share(waitedMs) }} />
        {sandboxMs ? <div className="bg-ring/60" style={{ width: share(sandboxMs) }} /> : null}
        <div className="flex-1 bg-primary" hidden={ranMs === null} />
      </div>
      <dl className="flex flex-wrap gap-x-4 gap-y-0.5 text-xs tabular-nums">
        <Part swatch="bg-muted-foreground/50" name="Queue" ms={waitedMs} />
        {sandboxMs === null ? null : (
          <Part swatch="bg-ring/60" name={sandboxName(run)} ms={sandboxMs} note={run.warm ? "warm" : undefined} />
        )}
        {ranMs === null ? null : <Part swatch="bg-primary" name="Run" ms={ranMs} />}
      </dl>
    </div>
  );
}

type PartProps = { swatch: string; name: string; ms: number; note?: string | undefined };

function Part({ swatch, name, ms, note }: PartProps) {
  return (
    <div className="inline-flex items-center gap-1.5">
      <dt className="inline-flex items-center gap-1.5 text-muted-foreground">
        <span aria-hidden className={`size-2 rounded-[2px] ${swatch}`} />
        {name}
      </dt>
      <dd>
        {formatDuration(ms)}
        {note ? <span className="text-muted-foreground"> ({note})</span> : null}
      </dd>
    </div>
  );
}

/** Where there is no sandbox, the same time goes into starting the process. */
function sandboxName(run: Run): string {
  return run.isolation === "sandbox" ? "Sandbox" : "Start";
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
