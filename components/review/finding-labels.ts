import type { Diagnostic } from "@/lib/skill-format/schema";
import type { FindingSeverity, VersionFinding } from "@/lib/skills/versions/schema";

export const findingSeverities: Record<FindingSeverity, { severity: Diagnostic["severity"]; word: string }> = {
  critical: { severity: "error", word: "Critical" },
  high: { severity: "error", word: "High" },
  medium: { severity: "warning", word: "Medium" },
  info: { severity: "info", word: "Note" },
};

type ShownFinding = Pick<VersionFinding, "rule" | "severity" | "path" | "line" | "why"> &
  Partial<Pick<VersionFinding, "text">>;

/** Findings about the format have a sentence of the scan where others quote the file. */
export function isSentence({ rule }: Pick<VersionFinding, "rule">): boolean {
  return rule === "MAN-003";
}

export function diagnosticOf(finding: ShownFinding): Diagnostic {
  const { rule, severity, path, line, why, text } = finding;
  const message = isSentence(finding) && text !== undefined ? text : why;
  return { code: rule, severity: findingSeverities[severity].severity, path, line, message };
}

const views: Record<string, string> = {
  "invisible-removed": "with invisible characters removed",
  "tags-decoded": "hidden in tag characters",
  "confusables-folded": "hidden by look-alike letters",
  "entities-decoded": "encoded as HTML entities",
  "percent-decoded": "percent-encoded",
  "escapes-decoded": "written with escapes",
  "base64-decoded": "encoded as Base64",
  "hex-decoded": "encoded as hex digits",
  "rot13-decoded": "encoded with ROT13",
  reversed: "written backwards",
  "strings-joined": "split across strings",
};

/** How the scan decoded the text; empty for plain text. */
export function viewLabel(view: string): string {
  return view === "source" ? "" : (views[view] ?? view);
}
