import { beyondPlainSandbox, sayBeyond } from "@/lib/policy/plain-sandbox";
import type { SkillClass } from "@/lib/skill-format/schema";
import type { Version } from "@/lib/skills/versions/schema";

export type Terms = { class: SkillClass; grants: Version["declaredGrants"]; entry: Version["entry"] };

/**
 * What a form starts with: what the other signers signed, else what it serves under, else what it declares, with the script
 * that the serving version runs if its file is the same.
 */
export function startingTerms(version: Version): Terms {
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
export function areStanding({ state, approvals, ...version }: Version, terms: Terms): boolean {
  if (state !== "approved" || approvals.terms !== null) return false;
  return (
    version.class === terms.class &&
    JSON.stringify(version.grants) === JSON.stringify(terms.grants) &&
    JSON.stringify(version.entry) === JSON.stringify(terms.entry)
  );
}

/** What in these terms an owner cannot approve alone, as a clause; null when there is nothing. */
export function whyAnother({ manifest, proposedClass, files }: Version, terms: Terms): string | null {
  const beyond = beyondPlainSandbox(manifest, { ...terms, files });
  const highest = [manifest.declaredClass, proposedClass, terms.class].find((name) => name && name !== "safe");
  const reasons = [...(highest ? [`it is ${terms.class === "safe" ? highest : terms.class}`] : []), sayBeyond(beyond)];
  return reasons.filter(Boolean).join(", and ") || null;
}

/** One name in each line; empty lines and repetitions are left out. */
export function linesOf(text: string): string[] {
  return [...new Set(text.split("\n").map((line) => line.trim()))].filter(Boolean);
}

export type PathGrant = { path: string; mode: "ro" | "rw" };

/** `ro /var/log`, `rw /tmp/x`; a line without a mode is read-only. */
export function pathsOf(text: string): PathGrant[] {
  return linesOf(text).map((line) => {
    const [, mode, path] = /^(?:(ro|rw)\s+)?(.+)$/.exec(line) ?? [];
    return { path: path ?? line, mode: mode === "rw" ? "rw" : "ro" };
  });
}

export const pathLines = (paths: readonly PathGrant[] = []) =>
  paths.map(({ path, mode }) => `${mode} ${path}`).join("\n");
