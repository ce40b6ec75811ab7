import type { AnalysisStep, DeedKind, SentPlace, StepEnd, StepReport } from "@/lib/policy/analysis/schema";
import type { AnalysisList } from "@/lib/review/analysis/schema";

export const deedLabels: Record<DeedKind, string> = {
  read_canary: "Read a planted secret",
  sent_canary: "Sent a planted secret",
  wrote_outside: "Wrote outside its own folders",
  left_process: "Left a process running",
  asked_metadata: "Asked for the machine’s credentials",
  refused_call: "Made a call that the sandbox refuses",
  asked_control:
    "Asked for a program or service that gives out credentials or rights, or starts programs outside or later",
};

/** Whether a skill only asked for something that may be harmless, which is no hostile act. */
export function isOnlyAsked({ kind }: { kind: DeedKind }): boolean {
  return kind === "asked_control";
}

export const kindLabels = { host: "Host", path: "Host path", env: "Variable" } as const;
export const declaredLabels = { declared: "Declared", named: "Named in its files", no: "Not declared" } as const;
export const observedLabels = { yes: "Observed", no: "Not observed", unknown: "Cannot be observed" } as const;

const placeLabels: Record<SentPlace, string> = {
  header: "in a header",
  target: "as a credential in the address",
  body: "in a field for a credential",
  message: "in other content",
};

/** “$GH_TOKEN to api.github.com:443 (tls, clear, in a header)”. */
export function sentText({ canary, encoding, channel, to, place }: StepReport["sent"][number]): string {
  return `${canary} to ${to} (${[channel, encoding, ...(place ? [placeLabels[place]] : [])].join(", ")})`;
}

/** The name of a step: “scripts/run.sh”, “SKILL.md, line 12”. */
export function stepName(step: AnalysisStep): string {
  if (step.kind === "command") return `${step.path}, line ${step.line}`;
  if (step.kind === "agent") return `${step.path}, followed by ${step.model ?? "an agent"}`;
  return step.kind === "entry" ? `${step.path} (entry)` : step.path;
}

export function endText(end: StepEnd): string {
  switch (end.kind) {
    case "exited":
      return `Ended with code ${end.exitCode}`;
    case "signalled":
      return `Ended by ${end.signal}`;
    case "stopped":
      return `Stopped: ${end.reason}`;
    default:
      return `Not executed: ${end.reason}`;
  }
}

/** “2 programs, 3 files read, 1 host” of a step. */
export function countsText({ programs, reads, writes, names, addresses }: StepReport): string {
  const count = (number: number, one: string, more: string) =>
    number === 0 ? [] : [`${number} ${number === 1 ? one : more}`];
  const parts = [
    ...count(programs.length, "program", "programs"),
    ...count(reads.length, "file read", "files read"),
    ...count(writes.length, "file written", "files written"),
    ...count(names.length + addresses.filter(({ name }) => name === null).length, "host asked", "hosts asked"),
  ];
  return parts.length > 0 ? parts.join(", ") : "Nothing recorded";
}

/** Why no worker can execute a dry run now; null when one can. */
export function unavailableReason(workers: AnalysisList["workers"]): string | null {
  if (workers.some(({ ability }) => ability.kind === "available")) return null;
  const reasons = workers.flatMap(({ name, ability }) =>
    ability.kind === "not_available" ? [`${name}: ${ability.reason}`] : [],
  );
  return reasons.length > 0 ? reasons.join(" ") : "No worker is online.";
}

/** The step with the text that the reviewer typed for its arguments; null when an entry’s text is not a JSON object. */
export function withArguments(step: AnalysisStep, text: string): AnalysisStep | null {
  if (step.kind === "command") return { ...step, text };
  if (step.kind === "agent") return { ...step, task: text };
  if (step.kind === "script") return { ...step, argv: text.split("\n").filter((line) => line !== "") };
  try {
    const args: unknown = JSON.parse(text);
    const isObject = typeof args === "object" && args !== null && !Array.isArray(args);
    return isObject ? { ...step, args: args as Record<string, unknown> } : null;
  } catch {
    return null;
  }
}

export function argumentsText(step: AnalysisStep): string {
  if (step.kind === "command") return step.text;
  if (step.kind === "agent") return step.task;
  return step.kind === "script" ? step.argv.join("\n") : JSON.stringify(step.args, null, 2);
}

const BEYOND_LABELS: Record<string, string> = {
  programs: "programs",
  reads: "files read",
  writes: "files written",
  lookedFor: "files looked for",
  names: "names asked",
  addresses: "addresses",
  sent: "secrets that left",
  refused: "refused calls",
  leftRunning: "processes left",
  deeds: "hostile acts",
  network: "connections or parts of them, not recorded",
  payloads: "sent messages, not searched for secrets",
  search: "parts of what was sent, not decoded in the search for secrets",
  worlds: "executions without what its files name",
  events: "calls, not read",
  paths: "changed paths, not followed",
};

/** What a list of the report leaves out: "12 more files read". */
export const beyondText = (list: string, count: number): string => `${count} more ${BEYOND_LABELS[list] ?? list}`;
