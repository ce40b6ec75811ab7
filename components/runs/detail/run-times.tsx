import { useEffect, useState } from "react";
import { useNow } from "@/components/state/use-now";
import { formatDuration } from "@/components/ui/format-time";
import { hasEnded } from "@/lib/client/runs";
import type { Run } from "@/lib/runner/schema";

const tickMs = 250;

/** Queue, sandbox and run time as a bar to scale, updated while the run lasts. */
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
          <Part swatch="bg-ring/60" name={sandboxName(run)} ms={sandboxMs} note={run.warm ? "prewarmed" : undefined} />
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

/** Without a sandbox, the same time is spent on starting the process. */
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
  waitedMs: number;
  /** Time until the sandbox was ready and the entry had its input; null while unknown. */
  sandboxMs: number | null;
  /** Time of the entry itself; null before the run started. */
  ranMs: number | null;
};

export function timesOf(run: TimedRun, now: number): RunTimes {
  const queued = Date.parse(run.queuedAt);
  const started = run.startedAt === null ? null : Date.parse(run.startedAt);
  const finished = run.finishedAt === null ? null : Date.parse(run.finishedAt);
  // Worker and server clocks differ, so the wait is clamped at 0.
  const waitedMs = Math.max(0, (started ?? finished ?? now) - queued);
  if (started === null) return { waitedMs, sandboxMs: null, ranMs: null };
  const wholeMs = run.durationMs ?? Math.max(0, (finished ?? now) - started);
  const sandboxMs = run.sandboxMs ?? null;
  if (sandboxMs === null) return { waitedMs, sandboxMs, ranMs: wholeMs };
  // Sandbox time starts when a worker takes the run. When it is most of the run time, it includes fetching files, which the
  // wait already counts.
  const isBefore = sandboxMs > wholeMs / 2;
  return isBefore
    ? { waitedMs: Math.max(0, waitedMs - sandboxMs), sandboxMs, ranMs: wholeMs }
    : { waitedMs, sandboxMs, ranMs: wholeMs - sandboxMs };
}

export function Took({ run }: { run: Run }) {
  const now = useNow();
  if (run.durationMs !== null) return formatDuration(run.durationMs);
  const begun = run.state === "running" && run.startedAt !== null ? Date.parse(run.startedAt) : null;
  // The page's clock is coarse, so the first second is not shown.
  if (begun === null || now === null || now - begun < 1000) return "–";
  return <span className="text-muted-foreground">{formatDuration(now - begun)}</span>;
}
