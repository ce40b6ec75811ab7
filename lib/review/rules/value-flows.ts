import { findFlows } from "../flow/find-flows";
import type { Flow } from "../flow/program";
import type { Hit, Rule } from "../scan/rule";
import type { ScanFile } from "../scan/scan-file";
import { isNegativeExample } from "./evidence";
import { rulesOf } from "./rule-rows";

const found = new WeakMap<ScanFile, ReturnType<typeof findFlows>>();

function flowsOf(file: ScanFile): ReturnType<typeof findFlows> {
  const known = found.get(file) ?? findFlows(file);
  found.set(file, known);
  return known;
}

/** Rules about values that are followed through scripts, in any number of steps. */
export const VALUE_FLOWS: Rule[] = rulesOf([
  {
    id: "EXF-007",
    version: 5,
    severity: "critical",
    title: "A secret reaches a host",
    why: "The script reads keys, credentials or the environment, and its values reach a request, a lookup, a message or a socket.",
    owasp: ["ASI02", "ASI03", "LLM02"],
    decoded: false,
    checkFile: (file) => hitsOf(file, "transfer"),
  },
  {
    id: "DLX-013",
    version: 5,
    severity: "critical",
    title: "Downloaded text is executed",
    why: "The script runs what an address answers as code or as a command. The answer can change at any time.",
    owasp: ["ASI04", "ASI05", "LLM03"],
    decoded: false,
    checkFile: (file) => hitsOf(file, "execution"),
  },
  {
    id: "SYS-011",
    version: 3,
    severity: "critical",
    title: "The user's files or disks are destroyed",
    why: "The script removes all files of the user, overwrites them, or erases every disk that it finds.",
    owasp: ["ASI02", "ASI05", "LLM06"],
    decoded: false,
    // A page may explain what a program does.
    checkFile: (file) =>
      hitsOf(file, "destruction").map((hit) => (file.kind === "script" ? hit : { ...hit, severity: "high" })),
  },
  {
    id: "EXF-012",
    severity: "critical",
    title: "Documents leave unseen",
    why: "The script sends what the user's files say to a fixed host, takes no notice of the answer and hides every error.",
    owasp: ["ASI02", "LLM02"],
    decoded: false,
    // A page may show a part of a program.
    checkFile: (file) =>
      hitsOf(file, "leak").map((hit) => (file.kind === "script" ? hit : { ...hit, severity: "high" })),
  },
  {
    id: "OBF-008",
    severity: "info",
    title: "Values were not followed to the end",
    why: "The script is too large or too complex to follow its values. Patterns were tried on all of it.",
    owasp: ["ASI05"],
    decoded: false,
    checkFile: (file) =>
      flowsOf(file).complete ? [] : [{ text: "The values of this script were not followed to the end." }],
  },
]);

function hitsOf(file: ScanFile, kind: Flow["kind"]): Hit[] {
  return flowsOf(file)
    .flows.filter((flow) => flow.kind === kind)
    .map(({ start, end, severity, what }) => {
      const text = file.text.slice(start, end).trim();
      const isWarning = isNegativeExample({
        ...{ text, groups: [], file, view: "source", inCode: true },
        line: lineAt(file.text, start),
        before: file.text.slice(Math.max(0, start - 400), start),
        after: file.text.slice(end, end + 400),
      });
      return { start, end, severity: isWarning ? "medium" : severity, text: `${what}: ${text}` };
    });
}

function lineAt(text: string, offset: number): string {
  const end = text.indexOf("\n", offset);
  return text.slice(text.lastIndexOf("\n", offset - 1) + 1, end === -1 ? text.length : end).slice(0, 1_000);
}
