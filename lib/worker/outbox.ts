import { type ExchangeRequest, type Lease, MAX_EVENTS_PER_EXCHANGE, type Outcome, type RunEventItem } from "./protocol";

const MAX_RUNS = 256;

const MAX_CHARACTERS = 1024 * 1024;

const MAX_HOLDING = 256;
/** A run without a barrier is acknowledged when it takes longer; most have ended before. */
const ACKNOWLEDGE_MS = 250;

export type Outbox = {
  track(lease: Lease): HeldRun;
  /**
   * A lease has its turn. Resolves with true when it may start: at once, or with `hasBarrier` when the server has accepted its
   * acknowledgement; with false when the signal is aborted before.
   */
  requestStart(run: HeldRun, hasBarrier: boolean, signal: AbortSignal): Promise<boolean>;
  /** Starts that wait for the server and that it was not asked about. */
  pendingBarriers(): number;
  /** The server has accepted these acknowledgements. */
  acceptStarts(keys: readonly RunKey[]): void;
  /** Gives a lease back for which nothing was started. */
  returnLease(run: HeldRun): void;
  /** Every run the server has not acknowledged the end of, at most 256. */
  heldRuns(): RunKey[];
  isEmpty(): boolean;
  hasEvents(): boolean;
  /** What cannot wait: how runs ended, and those that somebody else shall start. */
  pendingOutcomes(): number;
  /** What to say next; it stays here until it is acknowledged. */
  nextReport(): Report;
  acknowledge(report: Report): void;
  /** The server refuses the content of this report. Returns what is given up, so that the rest is heard; null when nothing yet. */
  refuse(report: Report, message: string): string | null;
};

/** Keeps what the server has to be told of each run until it has heard it: nothing is lost, nothing is told twice. */
export function createOutbox(): Outbox {
  const runs = new Set<HeldRun>();
  const returned = new Set<RunKey>();
  // After a refusal one thing at a time is sent, so that it is known which one is refused.
  let isSingle = false;

  function find(key: RunKey): HeldRun | undefined {
    return [...runs].find((run) => run.runId === key.runId && run.fence === key.fence);
  }

  function acknowledge(report: Report): void {
    for (const sent of report.events) find(sent)?.events.splice(0, sent.items.length);
    for (const sent of report.completions) {
      const run = find(sent);
      if (run) runs.delete(run);
    }
    for (const sent of report.returned ?? []) returned.delete(sent);
    for (const sent of report.started ?? []) {
      const start = find(sent)?.start;
      if (start) start.isReported = true;
    }
    isSingle = false;
  }

  function nextReport(): Report {
    const started = [...runs].filter(needsAcknowledgement).slice(0, MAX_HOLDING).map(toKey);
    return {
      ...cutReport(runs, isSingle),
      ...(returned.size === 0 ? {} : { returned: [...returned].slice(0, MAX_HOLDING) }),
      ...(started.length === 0 ? {} : { started }),
    };
  }

  function refuse(report: Report, message: string): string | null {
    if (!isSingle) {
      isSingle = true;
      return null;
    }
    for (const sent of report.returned ?? []) returned.delete(sent);
    const [events] = report.events;
    const [completion] = report.completions;
    if (events) {
      find(events)?.events.splice(0, events.items.length);
      return `${events.items.length} events`;
    }
    const run = completion && find(completion);
    if (!run?.outcome) return null;
    // To the end of the row: should this be refused as well, others must not wait behind it.
    runs.delete(run);
    runs.add(run);
    if (run.outcome.error?.message.startsWith(REFUSED)) return null;
    run.outcome = withoutContent(run.outcome, message);
    return "the result";
  }

  return {
    track({ runId, fence }) {
      const run: HeldRun = { runId, fence, events: [], outcome: null, start: null };
      runs.add(run);
      return run;
    },
    requestStart(run, hasBarrier, signal) {
      const start: RunStart = { atMs: performance.now(), isReported: false, isAccepted: false, accept: null };
      run.start = start;
      if (!hasBarrier) return Promise.resolve(true);
      return new Promise((resolve) => {
        const settle = (mayStart: boolean) => {
          signal.removeEventListener("abort", abandon);
          start.accept = null;
          // Given up, it is not acknowledged any more.
          if (!mayStart) run.start = null;
          resolve(mayStart);
        };
        const abandon = () => settle(false);
        start.accept = () => settle(true);
        if (signal.aborted) abandon();
        else signal.addEventListener("abort", abandon, { once: true });
      });
    },
    pendingBarriers: () => [...runs].filter(({ start }) => start?.accept && !start.isReported).length,
    acceptStarts(keys) {
      for (const key of keys) {
        const start = find(key)?.start;
        if (!start) continue;
        start.isAccepted = true;
        start.accept?.();
      }
    },
    returnLease(run) {
      runs.delete(run);
      returned.add({ runId: run.runId, fence: run.fence });
    },
    heldRuns: () => [...runs].slice(0, MAX_HOLDING).map(toKey),
    isEmpty: () => runs.size === 0 && returned.size === 0,
    hasEvents: () => [...runs].some((run) => run.events.length > 0),
    pendingOutcomes: () => returned.size + [...runs].filter((run) => run.outcome !== null).length,
    nextReport,
    acknowledge,
    refuse,
  };
}

/** Whether the server has to be told of its start; the outcome of a run tells it as well. */
function needsAcknowledgement({ start, outcome }: HeldRun): boolean {
  if (start === null || start.isAccepted || outcome !== null) return false;
  return start.accept !== null || performance.now() - start.atMs >= ACKNOWLEDGE_MS;
}

function toKey({ runId, fence }: RunKey): RunKey {
  return { runId, fence };
}

const REFUSED = "The server refuses the record of this run";

/** That a run has ended must be heard even when how it ended cannot be said. */
function withoutContent(outcome: Outcome, message: string): Outcome {
  const { result: _result, ...rest } = outcome;
  const code = outcome.error?.code ?? "output_limit";
  return {
    ...rest,
    error: { code, message: `${REFUSED}: ${message.slice(0, 1000)}` },
    truncated: true,
    rawOutput: null,
  };
}

/**
 * What fits into one exchange of about 1 MiB: the oldest events of each run, and outcomes of those runs whose events are
 * all in it or were sent before, since nothing can follow an outcome. At least one thing is in it, however long. With
 * `isSingle` it is exactly one thing.
 */
function cutReport(runs: Iterable<HeldRun>, isSingle: boolean): Report {
  const report: Report = { events: [], completions: [] };
  let room = MAX_CHARACTERS;
  for (const { runId, fence, events, outcome } of runs) {
    if (room <= 0 || report.events.length === MAX_RUNS || report.completions.length === MAX_RUNS) break;
    const items = takeWithin(events, room);
    room -= measureEvents(items);
    if (items.length > 0) report.events.push({ runId, fence, items });
    const isNext = items.length === events.length && !(isSingle && items.length > 0);
    if (outcome && isNext && (room > 0 || isEmpty(report))) {
      report.completions.push({ runId, fence, outcome });
      room -= measureOutcome(outcome);
    }
    if (isSingle && !isEmpty(report)) break;
  }
  return report;
}

function takeWithin(events: RunEventItem[], room: number): RunEventItem[] {
  let left = room;
  const end = events.findIndex((item, index) => {
    if (index === MAX_EVENTS_PER_EXCHANGE || left <= 0) return true;
    left -= measureEvents([item]);
    return false;
  });
  return end === -1 ? [...events] : events.slice(0, end);
}

function measureEvents(items: RunEventItem[]): number {
  return items.reduce((sum, item) => sum + item.text.length + 100, 0);
}

function measureOutcome(outcome: Outcome): number {
  return JSON.stringify(outcome).length;
}

function isEmpty(report: Report): boolean {
  return report.events.length === 0 && report.completions.length === 0;
}

export type RunKey = { runId: string; fence: number };

/** A run from its lease until the server has acknowledged its end; `events` are those it has not acknowledged yet. */
export type HeldRun = RunKey & {
  events: RunEventItem[];
  outcome: Outcome | null;
  /** Null until it has its turn. */
  start: RunStart | null;
};

/** What the server knows of a start. `accept`: ends the wait at the barrier; null for a lease without one. */
type RunStart = { atMs: number; isReported: boolean; isAccepted: boolean; accept: (() => void) | null };

/** The part of an exchange that tells what happened. */
export type Report = Pick<ExchangeRequest, "events" | "completions" | "returned" | "started">;
