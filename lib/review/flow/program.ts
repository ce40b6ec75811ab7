import type { Severity } from "../scan/schema";
import { judgeExecution, judgeTransfer, type Transfer } from "./judge-flow";
import type { LinkedFile } from "./linked-files";
import { HOLE, type Label, type Value } from "./values";

/** A secret that reaches a host, downloaded text or a picture that is executed, files or disks that are destroyed, or documents that leave unseen. */
export type Flow = {
  kind: "transfer" | "execution" | "destruction" | "leak" | "picture" | "coded";
  severity: Severity;
  /** What the value is. */
  what: string;
  start: number;
  end: number;
};

export type Range = { start: number; end: number };

/** The state of one script: what was found, which files hold which values, and the steps that are left. */
export type Program = {
  flows: Flow[];
  files: Map<string, readonly Label[]>;
  /** `isCut`: a part was nested too deeply. `isLong`: it has more lines or longer ones than are followed. */
  steps: { left: number; isCut?: true; isLong?: true };
  /** The command whose text is followed now. */
  at?: Range;
  /** The values behind the holes of a command that another language runs. */
  hole: Value | null;
  /** Files of the skill that the script may import, start or read. */
  linked: readonly LinkedFile[];
  /** Of the script or page itself. */
  text: string;
  /** What the script gets as arguments and input from another script of the skill. */
  given?: Value;
};

/** Steps of one script. A step is a visited part of its syntax. */
const MAX_STEPS = 60_000;
const MAX_FLOWS = 50;

export function openProgram(linked: readonly LinkedFile[] = [], text = ""): Program {
  return { flows: [], files: new Map(), steps: { left: MAX_STEPS }, hole: null, linked, text };
}

/** Takes a step; false when none is left. */
export function step({ steps }: Program): boolean {
  steps.left -= 1;
  return steps.left > 0;
}

/** Takes the steps of parsing another file, so that a script cannot start the same one without end. */
export function stepInto(program: Program, text: string): boolean {
  program.steps.left -= Math.ceil(text.length / 50);
  return step(program);
}

/** A program that polls. */
const POLLS =
  /\bsetInterval\s?\(|\bwhile\b\s{0,9}\(?\s{0,9}(?:true|True|1|:)(?!\w)|\bfor\s?\(\s{0,9};\s{0,9};\s{0,9}\)|\bwatch -n/;
const CLIPBOARD = /^(?:the clipboard$|pbpaste|wl-paste|xclip|xsel)/;

export function reportTransfer(program: Program, labels: readonly Label[], transfer: Transfer, range: Range): void {
  for (const label of labels) {
    // Reading the clipboard once may be what the user asked for; a program that polls it collects passwords.
    const all: Label = CLIPBOARD.test(label.name) && POLLS.test(program.text) ? { ...label, kind: "store" } : label;
    add(program, "transfer", label, judgeTransfer(all, transfer), range);
  }
}

export function reportExecution(program: Program, labels: readonly Label[], range: Range): void {
  for (const label of labels)
    if (label.kind === "picture") add(program, "picture", label, "high", range);
    else if (label.kind === "coded") add(program, "coded", label, "critical", range);
    else add(program, "execution", label, judgeExecution(label), range);
}

/** Reports what overwrites or removes the user's files or disks. */
export function reportDestruction(program: Program, labels: readonly Label[], range: Range): void {
  for (const label of labels)
    if (label.kind === "disks" || label.isHome) add(program, "destruction", label, "critical", range);
}

/** Reports documents that leave so that the user does not notice. */
export function reportLeak(program: Program, what: string, range: Range): void {
  if (program.flows.length < MAX_FLOWS && !program.flows.some(({ kind }) => kind === "leak"))
    program.flows.push({ kind: "leak", severity: "critical", what, ...range });
}

function add(program: Program, kind: Flow["kind"], label: Label, severity: Severity | null, range: Range): void {
  if (severity === null || program.flows.length >= MAX_FLOWS) return;
  const what = label.kind === "environment" ? "the environment" : label.name.replaceAll(HOLE, "…");
  const known = program.flows.find((flow) => flow.start === range.start && flow.what === what && flow.kind === kind);
  if (known !== undefined) {
    if (severity === "critical") known.severity = severity;
    return;
  }
  program.flows.push({ kind, severity, what, ...range });
}

/** Adds labels to a file that the script writes. */
export function writeFile(program: Program, path: string, labels: readonly Label[]): void {
  if (labels.length === 0 || path === "" || path === "/dev/null" || path === HOLE) return;
  program.files.set(path, [...(program.files.get(path) ?? []), ...labels].slice(0, 8));
}

/** Labels of a file that the script wrote, or of a folder that it wrote into. */
export function readFile(program: Program, path: string): readonly Label[] {
  const exact = program.files.get(path);
  if (exact !== undefined) return exact;
  const folder = path.endsWith("/") ? path : `${path}/`;
  for (const [written, labels] of program.files) {
    if (path !== "" && (written.startsWith(folder) || (written.endsWith("/") && path.startsWith(written))))
      return labels;
  }
  return [];
}

/** Runs a part of another file, and reports at `range` what `isNew` accepts of its findings. */
export function reportFrom(
  program: Program,
  range: Range,
  isNew: (flow: Flow) => boolean,
  work: (inner: Program) => void,
) {
  const inner: Program = { ...program, flows: [] };
  work(inner);
  const own = inner.flows.filter(isNew).map((flow) => ({ ...flow, ...range }));
  program.flows.push(...own.slice(0, MAX_FLOWS - program.flows.length));
}

/** Whether a finding is about one of the labels. */
export function isAbout(labels: readonly Label[]): (flow: Flow) => boolean {
  return ({ what }) =>
    labels.some(({ kind, name }) => what === (kind === "environment" ? "the environment" : name.replaceAll(HOLE, "…")));
}
