import { describeExtraPermissions, extraPermissions } from "@/lib/policy/plain-sandbox";
import type { SkillClass } from "@/lib/skill-format/schema";
import type { Version } from "@/lib/skills/versions/schema";

export type Terms = { class: SkillClass; grants: Version["declaredGrants"]; entry: Version["entry"] };

/**
 * The initial terms of the form: those other reviewers approved, else the current terms, else the declared ones. A pending
 * version takes over the entry script of the active version if that file is unchanged.
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

export function areCurrentTerms({ state, approvals, ...version }: Version, terms: Terms): boolean {
  if (state !== "approved" || approvals.terms !== null) return false;
  return (
    version.class === terms.class &&
    JSON.stringify(version.grants) === JSON.stringify(terms.grants) &&
    JSON.stringify(version.entry) === JSON.stringify(terms.entry)
  );
}

type Limits = Pick<Version, "declaredGrants" | "timeLimitSeconds" | "maxTimeLimitSeconds">;

/** The time limit of runs with these grants, in seconds, as the server settles it. */
export function timeLimitOf(version: Limits, { timeoutSeconds }: Version["declaredGrants"]): number {
  const granted = timeoutSeconds ?? version.declaredGrants.timeoutSeconds ?? version.timeLimitSeconds;
  return Math.min(granted, version.maxTimeLimitSeconds);
}

/** Why an owner cannot approve these terms alone, as a clause; null when they can. */
export function otherReviewerReason({ manifest, proposedClass, files }: Version, terms: Terms): string | null {
  const beyond = extraPermissions(manifest, { ...terms, files });
  const highest = [manifest.declaredClass, proposedClass, terms.class].find((name) => name && name !== "safe");
  const reasons = [
    ...(highest ? [`it is ${terms.class === "safe" ? highest : terms.class}`] : []),
    describeExtraPermissions(beyond),
  ];
  return reasons.filter(Boolean).join(", and ") || null;
}

/** Trimmed lines without empty ones and duplicates. */
export function linesOf(text: string): string[] {
  return [...new Set(text.split("\n").map((line) => line.trim()))].filter(Boolean);
}

type PathGrant = { path: string; mode: "ro" | "rw" };

/** Parses `ro /var/log`, `rw /tmp/x`; a line without a mode is read-only. */
export function pathsOf(text: string): PathGrant[] {
  return linesOf(text).map((line) => {
    const [, mode, path] = /^(?:(ro|rw)\s+)?(.+)$/.exec(line) ?? [];
    return { path: path ?? line, mode: mode === "rw" ? "rw" : "ro" };
  });
}

export const pathLines = (paths: readonly PathGrant[] = []) =>
  paths.map(({ path, mode }) => `${mode} ${path}`).join("\n");
