import type { HeldRun, Report } from "./held-run";
import { MAX_EVENTS_PER_EXCHANGE, type Outcome, type RunEventItem } from "./protocol";

const MAX_RUNS = 256;
const MAX_CHARACTERS = 1024 * 1024;

/**
 * What fits into one exchange of about 1 MiB: the oldest events of each run, and outcomes of those runs whose events are
 * all in it or were sent before, since nothing can follow an outcome. At least one thing is in it, however long. With
 * `isSingle` it is exactly one thing.
 */
export function cutReport(runs: Iterable<HeldRun>, isSingle: boolean): Report {
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
