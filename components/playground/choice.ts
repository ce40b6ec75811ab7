import type { ChosenSkill } from "@/lib/agent/playground/schema";
import type { PlaygroundLimits } from "@/lib/client/playground";
import type { Skill } from "@/lib/skills/schema";
import type { VersionSummary } from "@/lib/skills/versions/schema";

/** What a conversation is begun with, as the address holds it; null is the server's first. */
export type Choice = {
  endpointId: string | null;
  model: string | null;
  /** Null: the playground’s own. */
  personaId: string | null;
  skills: ChosenSkill[];
  limits: PlaygroundLimits;
};

export const defaultLimits: PlaygroundLimits = { steps: 20, tokens: 100_000, seconds: 300 };

/** The same bounds as the server's. */
export const limitRanges = {
  steps: { min: 1, max: 50 },
  tokens: { min: 100, max: 1_000_000 },
  seconds: { min: 5, max: 900 },
} as const satisfies Record<keyof PlaygroundLimits, { min: number; max: number }>;

const limitKeys = ["steps", "tokens", "seconds"] as const;

/** Values that no server would take are left out, as from an address that somebody wrote by hand. */
export function readChoice(params: URLSearchParams): Choice {
  const limits = { ...defaultLimits };
  for (const key of limitKeys) {
    const value = Number(params.get(key) ?? Number.NaN);
    const { min, max } = limitRanges[key];
    if (Number.isInteger(value) && value >= min && value <= max) limits[key] = value;
  }
  return {
    endpointId: params.get("endpoint"),
    model: params.get("model"),
    personaId: params.get("persona"),
    skills: params.getAll("skill").slice(0, 50).map(readSkill),
    limits,
  };
}

export function writeChoice(choice: Choice): Record<string, string | string[] | null> {
  const { endpointId, model, personaId, skills, limits } = choice;
  const ofLimits = limitKeys.map((key) => [key, limits[key] === defaultLimits[key] ? null : String(limits[key])]);
  return {
    ...{ endpoint: endpointId, model, persona: personaId },
    ...{ skill: skills.map(writeSkill), ...Object.fromEntries(ofLimits) },
  };
}

/** The playground with one skill chosen; without a version, the one that serves. */
export function playgroundHref(skillId: string, versionDigest: string | null): string {
  return `/playground?${new URLSearchParams({ skill: writeSkill({ skillId, versionDigest }) })}`;
}

/** The playground with what there is of a skill to try: the version that serves, else the one that waits or was approved. */
export function tryHref({ id, enabled, currentVersion, pendingVersion }: PlaygroundSkill): string {
  const serves = enabled && currentVersion !== null;
  return playgroundHref(id, serves ? null : (pendingVersion?.digest ?? currentVersion?.digest ?? null));
}

type PlaygroundSkill = Pick<Skill, "id" | "enabled" | "currentVersion" | "pendingVersion">;

function readSkill(text: string): ChosenSkill {
  const [skillId = "", versionDigest] = text.split("@");
  return { skillId, versionDigest: versionDigest || null };
}

function writeSkill({ skillId, versionDigest }: ChosenSkill): string {
  return versionDigest === null ? skillId : `${skillId}@${versionDigest}`;
}

type VersionChoice = {
  /** Null: the version that serves. */
  digest: string | null;
  label: string;
  /** Its playbook only, and nothing of it runs. */
  isPending: boolean;
};

const stateLabels = new Map<VersionSummary["state"], string>([
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
  const others = versions.filter(({ digest, state }) => digest !== servingDigest && isSelectable(state));
  return [
    ...serving,
    ...(mayTryPending ? others : []).map(({ digest, number, state }) => ({
      ...{ digest, isPending: true },
      label: `Version ${number}, ${stateLabels.get(state) ?? "approved, does not serve"}`,
    })),
  ];
}

function isSelectable(state: VersionSummary["state"]): boolean {
  return state === "approved" || isWaiting(state);
}

/** Whether a version is on its way to be approved: what was rejected or revoked is tried by nobody. */
export function isWaiting(state: VersionSummary["state"]): boolean {
  return stateLabels.has(state);
}
