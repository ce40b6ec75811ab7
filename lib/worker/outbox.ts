import {
  type ExchangeRequest,
  type Lease,
  MAX_EVENTS_PER_EXCHANGE,
  type Outcome,
  type RunEventItem,
  type RunKey,
} from "./protocol";

const MAX_RUNS = 256;

const MAX_CHARACTERS = 1024 * 1024;

const MAX_HOLDING = 256;
/** A run without a barrier is acknowledged only if it takes longer than this; most end earlier. */
const ACKNOWLEDGE_MS = 250;

export type Outbox = {
  track(lease: Lease): HeldRun;
  /**
   * Asks to start a lease that has a slot. Resolves with true when it may start: at once, or with `hasBarrier` when the
   * server has accepted its acknowledgement; with false when the signal is aborted first.
   */
  requestStart(run: HeldRun, hasBarrier: boolean, signal: AbortSignal): Promise<boolean>;
  pendingBarriers(): number;
  acceptStarts(keys: readonly RunKey[]): void;
  returnLease(run: HeldRun): void;
  /** The runs whose end the server has not acknowledged, at most 256. */
  heldRuns(): RunKey[];
  isEmpty(): boolean;
  hasEvents(): boolean;
  /** How many outcomes and returned leases wait to be sent. */
  pendingOutcomes(): number;
  nextReport(): Report;
  acknowledge(report: Report): void;
  /** Handles a refused report. Returns what was dropped, so that the server accepts the rest; null when nothing was dropped yet. */
  refuse(report: Report, message: string): string | null;
};

/** Keeps the reports on runs until the server has acknowledged them: nothing is lost or sent twice. */
export function createOutbox(): Outbox {
  const runs = new Set<HeldRun>();
  const returned = new Set<RunKey>();
  // After a refusal items are sent one at a time, to find the refused one.
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
    // Moved to the end: if the server refuses this too, other runs must not wait for it.
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
          // An abandoned start is not acknowledged any more.
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

function needsAcknowledgement({ start, outcome }: HeldRun): boolean {
  if (start === null || start.isAccepted || outcome !== null) return false;
  return start.accept !== null || performance.now() - start.atMs >= ACKNOWLEDGE_MS;
}

function toKey({ runId, fence }: RunKey): RunKey {
  return { runId, fence };
}

const REFUSED = "The server refuses the record of this run";

/** The server must learn that a run ended even when it refuses the details. */
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
 * Selects the content of one exchange of about 1 MiB: the oldest events of each run, and the outcomes of runs whose events
 * are all included or were sent before, since nothing can follow an outcome. It contains at least one item, however long;
 * with `isSingle` exactly one.
 */
function cutReport(runs: Iterable<HeldRun>, isSingle: boolean): Report {
  const report: Report = { events: [], completions: [] };
  let left = MAX_CHARACTERS;
  for (const { runId, fence, events, outcome } of runs) {
    if (left <= 0 || report.events.length === MAX_RUNS || report.completions.length === MAX_RUNS) break;
    const items = takeWithin(events, left);
    left -= measureEvents(items);
    if (items.length > 0) report.events.push({ runId, fence, items });
    const isNext = items.length === events.length && !(isSingle && items.length > 0);
    if (outcome && isNext && (left > 0 || isEmpty(report))) {
      report.completions.push({ runId, fence, outcome });
      left -= measureOutcome(outcome);
    }
    if (isSingle && !isEmpty(report)) break;
  }
  return report;
}

function takeWithin(events: RunEventItem[], limit: number): RunEventItem[] {
  let left = limit;
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

/** A run from its lease until the server has acknowledged its end; `events` are the unacknowledged ones. */
export type HeldRun = RunKey & {
  events: RunEventItem[];
  outcome: Outcome | null;
  start: RunStart | null;
};

/** `accept` ends the wait at the barrier; null for a lease without one. */
type RunStart = { atMs: number; isReported: boolean; isAccepted: boolean; accept: (() => void) | null };

export type Report = Pick<ExchangeRequest, "events" | "completions" | "returned" | "started">;
