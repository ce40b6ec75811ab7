import { useEffect, useState } from "react";
import { useNow } from "@/components/state/use-now";
import { formatDuration } from "@/components/ui/format-time";
import { hasEnded } from "@/lib/client/runs";
import type { Run } from "@/lib/runner/schema";

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

type TimedRun = Pick<Run, "queuedAt" | "startedAt" | "finishedAt" | "durationMs"> & Partial<Pick<Run, "sandboxMs">>;

type RunTimes = {
  /** In the queue, in milliseconds. */
  waitedMs: number;
  /** Until the sandbox was built and the entry had its input; null while that is not known. */
  sandboxMs: number | null;
  /** The entry itself; null before the run began. */
  ranMs: number | null;
};

/** How long a run waited, prepared and worked so far, at a moment. */
export function timesOf(run: TimedRun, now: number): RunTimes {
  const queued = Date.parse(run.queuedAt);
  const started = run.startedAt === null ? null : Date.parse(run.startedAt);
  const finished = run.finishedAt === null ? null : Date.parse(run.finishedAt);
  // Worker and server have clocks of their own; a wait is never negative.
  const waitedMs = Math.max(0, (started ?? finished ?? now) - queued);
  if (started === null) return { waitedMs, sandboxMs: null, ranMs: null };
  const wholeMs = run.durationMs ?? Math.max(0, (finished ?? now) - started);
  const sandboxMs = run.sandboxMs ?? null;
  if (sandboxMs === null) return { waitedMs, sandboxMs, ranMs: wholeMs };
  // It begins when a worker takes the run and ends in the run's own time. Where it is most of that, files were fetched
  // first, which the wait has counted.
  const isBefore = sandboxMs > wholeMs / 2;
  return isBefore
    ? { waitedMs: Math.max(0, waitedMs - sandboxMs), sandboxMs, ranMs: wholeMs }
    : { waitedMs, sandboxMs, ranMs: wholeMs - sandboxMs };
}

/** How long it ran, or has been running. */
export function Took({ run }: { run: Run }) {
  const now = useNow();
  if (run.durationMs !== null) return formatDuration(run.durationMs);
  const begun = run.state === "running" && run.startedAt !== null ? Date.parse(run.startedAt) : null;
  // The clock of the page is coarse: a run that has just begun has no time to show yet.
  if (begun === null || now === null || now - begun < 1000) return "–";
  return <span className="text-muted-foreground">{formatDuration(now - begun)}</span>;
}
