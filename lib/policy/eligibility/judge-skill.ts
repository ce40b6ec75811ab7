import { GSV_CAPABILITIES } from "@/lib/skill-format/dialects/tables";
import type { Requirements } from "@/lib/skill-format/schema";
import { findEntry, type SkillAddress } from "./find-entry";
import { judgeRuntime, type OnlineWorker } from "./judge-runtime";
import type { EligibilityPolicy, RequirementState, Stage } from "./schema";

export type JudgedSkill = SkillAddress & {
  isEnabled: boolean;
  isListed: boolean;
  isApproved: boolean;
  /** The author's value. */
  always: boolean;
  requirements: Requirements;
};

export type Judgement = { stages: Stage[]; requirements: RequirementState[] };

/**
 * Whether agents can be offered a skill: it is switched on, its requirements can be read, and one online worker meets them.
 * Unknown facts count as not met. The author's `always` excuses missing runtime requirements and unknown capability ids (GSV),
 * but not unreadable requirements or unknown kinds of them; only an admin's `always` excuses those.
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
  if (!skill.isListed) return stage(false, "An admin blocked it.");
  if (!skill.isApproved) return stage(false, "It has no approved version.");
  if (!skill.isEnabled) return stage(false, "It is switched off.");
  if (found?.isHidden) return stage(false, `An admin hides it by the override for the ${found.by} “${found.key}”.`);
  return stage(true, "It is approved and switched on.");
}

/** Unknown or unreadable requirements, which no worker can meet. */
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
  if (unreadable.length === 0) return "All its requirements can be read.";
  const what = unreadable.map(({ name, note }) => (name === "requirements" ? note : `${name}: ${note}`)).join("; ");
  if (excuse === "admin") return `An admin allows it although ${what}.`;
  return excuse === "always" ? `It is always offered, although ${what}.` : `Not met: ${what}.`;
}

function judgeStates(states: RequirementState[], always: boolean): Stage {
  const stage = (passed: boolean, reason: string): Stage => ({ stage: "runtime", passed, reason });
  if (states.length === 0) return stage(true, "It requires nothing.");
  const missing = states.filter(({ met }) => !met);
  if (missing.length === 0) return stage(true, "All its requirements are met.");
  const what = missing.map(({ name, note }) => `${name} (${note})`).join(", ");
  return always
    ? stage(true, `It is always offered, although this is missing: ${what}.`)
    : stage(false, `Missing: ${what}.`);
}
