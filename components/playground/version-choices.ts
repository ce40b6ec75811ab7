import type { Skill } from "@/lib/skills/schema";
import type { VersionSummary } from "@/lib/skills/versions/schema";

export type VersionChoice = {
  /** Null: the version that serves. */
  digest: string | null;
  label: string;
  /** Its playbook only, and nothing of it runs. */
  isPending: boolean;
};

const tried = new Map<VersionSummary["state"], string>([
  ["draft", "draft"],
  ["pending", "waits for review"],
  ["changes_requested", "changes asked for"],
]);

/**
 * The versions of a skill that may be tried: the one that serves, where one does, and for those who may see others work
 * (reviewers and whoever manages the skill) the ones that wait and the ones that were approved.
 */
export function versionChoices(
  skill: Pick<Skill, "enabled" | "currentVersion">,
  versions: readonly Pick<VersionSummary, "digest" | "number" | "state">[],
  mayTryPending: boolean,
): VersionChoice[] {
  const { enabled, currentVersion } = skill;
  const serving =
    enabled && currentVersion
      ? [{ digest: null, label: `Version ${currentVersion.number}, serving`, isPending: false }]
      : [];
  const servingDigest = enabled ? currentVersion?.digest : undefined;
  const others = versions.filter(({ digest, state }) => digest !== servingDigest && isTried(state));
  return [
    ...serving,
    ...(mayTryPending ? others : []).map(({ digest, number, state }) => ({
      ...{ digest, isPending: true },
      label: `Version ${number}, ${tried.get(state) ?? "approved, does not serve"}`,
    })),
  ];
}

function isTried(state: VersionSummary["state"]): boolean {
  return state === "approved" || isWaiting(state);
}

/** Whether a version is on its way to be approved: what was rejected or revoked is tried by nobody. */
export function isWaiting(state: VersionSummary["state"]): boolean {
  return tried.has(state);
}
