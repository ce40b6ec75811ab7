import { GSV_CAPABILITIES } from "@/lib/skill-format/dialects/tables";
import type { Requirements } from "@/lib/skill-format/schema";
import { findEntry, type SkillAddress } from "./find-entry";
import { judgeRuntime, type OnlineWorker } from "./judge-runtime";
import type { EligibilityPolicy, RequirementState, Stage } from "./schema";

/** What is judged, as it is stored. */
export type JudgedSkill = SkillAddress & {
  isEnabled: boolean;
  isListed: boolean;
  isApproved: boolean;
  /** As its author wrote it. */
  always: boolean;
  requirements: Requirements;
};

export type Judgement = { stages: Stage[]; requirements: RequirementState[] };

/**
 * Whether a skill can be offered to anybody’s agent: is it switched on, can all it requires be read, and does one online
 * worker have all of it. Closed wherever something is not known. `always` spares what the runtime lacks and ids of
 * capabilities that are not known (GSV). A part that cannot be read, or a kind of requirement that is not known, excludes a
 * skill also where its author says `always`, and only an admin’s `always` goes over that.
 */
export function judgeSkill(skill: JudgedSkill, policy: EligibilityPolicy, workers: readonly OnlineWorker[]): Judgement {
  const found = findEntry(policy, skill);
  const always = found?.entry.always ?? skill.always;
  const requirements = { ...skill.requirements, ...found?.entry.requires };
  const unreadable = judgeIds(requirements);
  const states = judgeRuntime(requirements, workers, policy.config);
  const isReadable = !requirements.invalid && requirements.unknown.length === 0;
  const excuse = found?.entry.always === true ? "admin" : always && isReadable ? "always" : null;
  return {
    stages: [
      judgeSwitch(skill, found === null ? null : { ...found, isHidden: found.entry.enabled === false }),
      {
        stage: "requirements",
        passed: unreadable.length === 0 || excuse !== null,
        reason: sayUnreadable(unreadable, excuse),
      },
      judgeStates(states, always),
    ],
    requirements: [...unreadable, ...states.filter(({ name }) => !unreadable.some((other) => other.name === name))],
  };
}

function judgeSwitch(skill: JudgedSkill, found: { by: string; key: string; isHidden: boolean } | null): Stage {
  const stage = (passed: boolean, reason: string): Stage => ({ stage: "switch", passed, reason });
  if (!skill.isListed) return stage(false, "An admin took it off the list.");
  if (!skill.isApproved) return stage(false, "No version of it is approved.");
  if (!skill.isEnabled) return stage(false, "It is switched off.");
  if (found?.isHidden) return stage(false, `An admin hides it: the override for the ${found.by} “${found.key}”.`);
  return stage(true, "It is approved and switched on.");
}

/** Requirements that nobody can meet, because nobody knows what they ask for. */
function judgeIds({ invalid, capabilities, unknown }: Requirements): RequirementState[] {
  const ids = [...new Set(capabilities)].filter((id) => !GSV_CAPABILITIES.has(id));
  const state = (name: string, note: string): RequirementState => ({ kind: "invalid", name, met: false, note });
  const states = [
    ...ids.map((id) => state(id, "no such capability is known")),
    ...unknown.map((name) => state(name, "no such requirement is known")),
  ];
  if (!invalid) return states;
  const note = "a part of its requirements cannot be read";
  return [{ kind: "invalid", name: "requirements", met: false, note }, ...states];
}

function sayUnreadable(unreadable: RequirementState[], excuse: "admin" | "always" | null): string {
  if (unreadable.length === 0) return "All it requires can be read.";
  const what = unreadable.map(({ name, note }) => (name === "requirements" ? note : `${name}: ${note}`)).join("; ");
  if (excuse === "admin") return `An admin lets it pass although ${what}.`;
  return excuse === "always" ? `It is always offered, although ${what}.` : `It counts as not met: ${what}.`;
}

function judgeStates(states: RequirementState[], always: boolean): Stage {
  const stage = (passed: boolean, reason: string): Stage => ({ stage: "runtime", passed, reason });
  if (states.length === 0) return stage(true, "It requires nothing.");
  const missing = states.filter(({ met }) => !met);
  if (missing.length === 0) return stage(true, "All it requires is there.");
  const what = missing.map(({ name, note }) => `${name} (${note})`).join(", ");
  return always
    ? stage(true, `It is always offered, although this is missing: ${what}.`)
    : stage(false, `Missing: ${what}.`);
}
