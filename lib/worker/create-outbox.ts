import { cutReport } from "./cut-report";
import type { HeldRun, Report, RunKey } from "./held-run";
import type { Lease, Outcome } from "./protocol";

export type Outbox = {
  open(lease: Lease): HeldRun;
  /** Every run the server has not acknowledged the end of, at most 256. */
  holding(): RunKey[];
  isEmpty(): boolean;
  hasEvents(): boolean;
  hasOutcome(): boolean;
  /** What to say next; it stays here until it is acknowledged. */
  nextReport(): Report;
  acknowledge(report: Report): void;
  /** The server refuses the content of this report. Returns what is given up, so that the rest is heard; null when nothing yet. */
  refuse(report: Report, message: string): string | null;
};

/** Keeps what the server has to be told of each run until it has heard it: nothing is lost, nothing is told twice. */
export function createOutbox(): Outbox {
  const runs = new Set<HeldRun>();
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
    isSingle = false;
  }

  function refuse(report: Report, message: string): string | null {
    if (!isSingle) {
      isSingle = true;
      return null;
    }
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
    open({ runId, fence }) {
      const run: HeldRun = { runId, fence, events: [], outcome: null };
      runs.add(run);
      return run;
    },
    holding: () => [...runs].slice(0, 256).map(({ runId, fence }) => ({ runId, fence })),
    isEmpty: () => runs.size === 0,
    hasEvents: () => [...runs].some((run) => run.events.length > 0),
    hasOutcome: () => [...runs].some((run) => run.outcome !== null),
    nextReport: () => cutReport(runs, isSingle),
    acknowledge,
    refuse,
  };
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
