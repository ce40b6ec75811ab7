import { beyondPlainSandbox, sayBeyond } from "@/lib/policy/plain-sandbox";
import type { Diagnostic, SkillClass } from "@/lib/skill-format/schema";
import type { FindingSeverity, Version, VersionFinding } from "@/lib/skills/versions/schema";

export const findingSeverities: Record<FindingSeverity, { severity: Diagnostic["severity"]; word: string }> = {
  critical: { severity: "error", word: "Critical" },
  high: { severity: "error", word: "High" },
  medium: { severity: "warning", word: "Medium" },
  info: { severity: "info", word: "Note" },
};

/** A finding as a note in the margin of its line. */
export function diagnosticOf({ rule, severity, path, line, why }: VersionFinding): Diagnostic {
  return { code: rule, severity: findingSeverities[severity].severity, path, line, message: why };
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
export function viewLabel(view: string): string {
  return view === "source" ? "" : (views[view] ?? view);
}

export type Terms = { class: SkillClass; grants: Version["declaredGrants"]; entry: Version["entry"] };

/**
 * What a form starts with: what the other signers signed, else what it serves under, else what it declares, with the script
 * that the serving version runs if its file is the same.
 */
export function initialTerms(version: Version): Terms {
  if (version.approvals.terms) return version.approvals.terms;
  const { carriedEntry: carried, state } = version;
  const isCarried = state === "pending" && version.manifest.entry === null && carried?.file === "unchanged";
  return {
    class: version.class ?? version.proposedClass,
    grants: version.grants ?? version.declaredGrants,
    entry: isCarried ? carried.entry : version.entry,
  };
}

/** Whether these are the terms that the version serves under, so that there is nothing to approve. */
export function areCurrentTerms({ state, approvals, ...version }: Version, terms: Terms): boolean {
  if (state !== "approved" || approvals.terms !== null) return false;
  return (
    version.class === terms.class &&
    JSON.stringify(version.grants) === JSON.stringify(terms.grants) &&
    JSON.stringify(version.entry) === JSON.stringify(terms.entry)
  );
}

/** What in these terms an owner cannot approve alone, as a clause; null when there is nothing. */
export function otherReviewerReason({ manifest, proposedClass, files }: Version, terms: Terms): string | null {
  const beyond = beyondPlainSandbox(manifest, { ...terms, files });
  const highest = [manifest.declaredClass, proposedClass, terms.class].find((name) => name && name !== "safe");
  const reasons = [...(highest ? [`it is ${terms.class === "safe" ? highest : terms.class}`] : []), sayBeyond(beyond)];
  return reasons.filter(Boolean).join(", and ") || null;
}

/** One name in each line; empty lines and repetitions are left out. */
export function linesOf(text: string): string[] {
  return [...new Set(text.split("\n").map((line) => line.trim()))].filter(Boolean);
}

type PathGrant = { path: string; mode: "ro" | "rw" };

/** `ro /var/log`, `rw /tmp/x`; a line without a mode is read-only. */
export function pathsOf(text: string): PathGrant[] {
  return linesOf(text).map((line) => {
    const [, mode, path] = /^(?:(ro|rw)\s+)?(.+)$/.exec(line) ?? [];
    return { path: path ?? line, mode: mode === "rw" ? "rw" : "ro" };
  });
}

export const pathLines = (paths: readonly PathGrant[] = []) =>
  paths.map(({ path, mode }) => `${mode} ${path}`).join("\n");
