import { describeTerms, type RunTerms } from "@/components/runs/start/run-terms";
import { formatBytes } from "@/components/ui/format-bytes";
import { formatDuration, formatLimit } from "@/components/ui/format-time";
import { stateLooks } from "@/components/ui/state-chip";
import type { Run } from "@/lib/runner/schema";
import { isolationLabel } from "./run-facts";
import { timesOf } from "./run-times";

/** One fact of two runs. `isOther` marks a difference. */
export type ComparedFact = { term: string; before: string; after: string; isOther: boolean };

/** The facts of two runs; durations always differ and are never marked. */
export function compareFacts(before: Run, after: Run): ComparedFact[] {
  const rows: [string, (run: Run) => string | null, boolean][] = [
    ["State", (run) => stateLooks[run.state].label, true],
    ["Error", (run) => run.error?.code ?? null, true],
    ["Exit code", (run) => (run.exitCode === null ? null : String(run.exitCode)), true],
    ["Signal", (run) => run.signal, true],
    ["Version", (run) => `${run.versionNumber} · ${run.versionDigest.slice(0, 7)}`, true],
    ["Class", (run) => run.class, true],
    ["Isolation", (run) => (run.startedAt === null ? null : isolationLabel(run.isolation)), true],
    ["Worker", (run) => run.worker?.name ?? null, true],
    ["Started by", (run) => run.caller.name, true],
    ["Time limit", (run) => formatLimit(run.timeoutMs / 1000), true],
    ["Queue", (run) => durationText(timesNow(run).waitedMs), false],
    ["Sandbox", (run) => sandboxText(run), false],
    ["Run", (run) => durationText(timesNow(run).ranMs), false],
    ["CPU time", (run) => durationText(run.cpuMs), false],
    ["Peak memory", (run) => (run.peakMemoryBytes === null ? null : formatBytes(run.peakMemoryBytes)), false],
  ];
  return rows.flatMap(([term, read, counts]): ComparedFact[] => {
    const [one, other] = [read(before), read(after)];
    if (one === null && other === null) return [];
    return [{ term, before: one ?? "–", after: other ?? "–", isOther: counts && one !== other }];
  });
}

export function compareTerms(before: RunTerms, after: RunTerms): ComparedFact[] {
  const [one, other] = [before, after].map(
    (terms) => new Map(describeTerms(terms).map((line) => [line.term, line.text])),
  );
  if (!one || !other) return [];
  return [...new Set([...one.keys(), ...other.keys()])].flatMap((term) => {
    const [had, has] = [one.get(term) ?? "None", other.get(term) ?? "None"];
    return had === has ? [] : [{ term, before: had, after: has, isOther: true }];
  });
}

function timesNow(run: Run) {
  return timesOf(run, Date.parse(run.finishedAt ?? run.startedAt ?? run.queuedAt));
}

function sandboxText(run: Run): string | null {
  const text = durationText(timesNow(run).sandboxMs);
  return text !== null && run.warm ? `${text}, prewarmed` : text;
}

function durationText(ms: number | null): string | null {
  return ms === null ? null : formatDuration(ms);
}
