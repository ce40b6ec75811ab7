import type { ChosenSkill } from "@/lib/agent/playground/schema";
import type { PlaygroundLimits } from "@/lib/client/playground";
import type { Skill } from "@/lib/skills/schema";
import type { VersionSummary } from "@/lib/skills/versions/schema";

/** The choices of a new conversation, kept in the address. Null means the server's default. */
export type Choice = {
  endpointId: string | null;
  model: string | null;
  /** Null: the persona “playground”. */
  personaId: string | null;
  skills: ChosenSkill[];
  limits: PlaygroundLimits;
};

export const defaultLimits: PlaygroundLimits = { steps: 20, tokens: 100_000, seconds: 300 };

/** The server's limits. */
export const limitRanges = {
  steps: { min: 1, max: 50 },
  tokens: { min: 100, max: 1_000_000 },
  seconds: { min: 5, max: 900 },
} as const satisfies Record<keyof PlaygroundLimits, { min: number; max: number }>;

const limitKeys = ["steps", "tokens", "seconds"] as const;

/** Reads the choices from the address; ignores values that the server would refuse. */
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

/** The playground with one skill; without a version, its active one. */
export function playgroundHref(skillId: string, versionDigest: string | null): string {
  return `/playground?${new URLSearchParams({ skill: writeSkill({ skillId, versionDigest }) })}`;
}

/** The playground with the active version of a skill, else its pending or approved one. */
export function tryHref({ id, enabled, currentVersion, pendingVersion }: PlaygroundSkill): string {
  const isActive = enabled && currentVersion !== null;
  return playgroundHref(id, isActive ? null : (pendingVersion?.digest ?? currentVersion?.digest ?? null));
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
  /** Null: the active version. */
  digest: string | null;
  label: string;
  /** The playground uses its playbook only and runs none of its scripts. */
  isPending: boolean;
};

const stateLabels = new Map<VersionSummary["state"], string>([
  ["draft", "draft"],
  ["pending", "pending review"],
  ["changes_requested", "changes requested"],
]);

/**
 * The versions of a skill that the person may try: the active one and, for reviewers and managers of the skill, those
 * that wait for approval or were approved.
 */
export function versionChoices(
  skill: Pick<Skill, "enabled" | "currentVersion">,
  versions: readonly Pick<VersionSummary, "digest" | "number" | "state">[],
  mayTryPending: boolean,
): VersionChoice[] {
  const { enabled, currentVersion } = skill;
  const active =
    enabled && currentVersion
      ? [{ digest: null, label: `Version ${currentVersion.number}, active`, isPending: false }]
      : [];
  const activeDigest = enabled ? currentVersion?.digest : undefined;
  const others = versions.filter(({ digest, state }) => digest !== activeDigest && isSelectable(state));
  return [
    ...active,
    ...(mayTryPending ? others : []).map(({ digest, number, state }) => ({
      ...{ digest, isPending: true },
      label: `Version ${number}, ${stateLabels.get(state) ?? "approved, not active"}`,
    })),
  ];
}

function isSelectable(state: VersionSummary["state"]): boolean {
  return state === "approved" || isWaiting(state);
}

/** Whether a version may still be approved. */
export function isWaiting(state: VersionSummary["state"]): boolean {
  return stateLabels.has(state);
}
