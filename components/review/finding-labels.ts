import type { Diagnostic } from "@/lib/skill-format/schema";
import type { FindingSeverity, VersionFinding } from "@/lib/skills/versions/schema";

export const severityLook: Record<FindingSeverity, { severity: Diagnostic["severity"]; word: string }> = {
  critical: { severity: "error", word: "Critical" },
  high: { severity: "error", word: "High" },
  medium: { severity: "warning", word: "Medium" },
  info: { severity: "info", word: "Note" },
};

/** A finding as a note in the margin of its line. */
export function noteOf({ rule, severity, path, line, why }: VersionFinding): Diagnostic {
  return { code: rule, severity: severityLook[severity].severity, path, line, message: why };
}

const views: Record<string, string> = {
  "invisible-removed": "with invisible characters removed",
  "tags-decoded": "hidden in tag characters",
  "confusables-folded": "behind look-alike letters",
  "entities-decoded": "behind HTML entities",
  "percent-decoded": "behind percent signs",
  "escapes-decoded": "behind escapes",
  "base64-decoded": "behind Base64",
  "hex-decoded": "behind hex digits",
  "rot13-decoded": "behind ROT13",
  reversed: "written backwards",
  "strings-joined": "in strings put together",
};

/** How the text was found when it does not stand there in the open; empty when it does. */
export function viewWords(view: string): string {
  return view === "source" ? "" : (views[view] ?? view);
}
