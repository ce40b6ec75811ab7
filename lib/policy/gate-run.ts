import { AppError } from "@/lib/core/errors";
import type { SkillClass } from "@/lib/skill-format/schema";
import { type SkillLists, type SkillNames, whyListsExclude } from "./match-skill-lists";
import type { PermissionMode } from "./schema";
import { highestClass, runSignaturesNeeded } from "./signatures-needed";

export type PersonaPolicy = SkillLists & { name: string; permissionMode: PermissionMode };

export type PolicyRule =
  | "safe-starts"
  | "mutating-needs-confirmation"
  | "mutating-confirmed"
  | "agent-cannot-confirm"
  | "dangerous-needs-two-others"
  | "dangerous-in-solo-mode"
  | "persona-mode"
  | "persona-deny"
  | "persona-allow"
  | "persona-missing"
  | "user-invocation";

/** The decision on a request for a run. `signatures`: people who have to sign first; 0 unless the outcome is `park`. */
export type PolicyDecision = {
  outcome: "start" | "confirm" | "park" | "refuse";
  rule: PolicyRule;
  reason: string;
  signatures: number;
};

/** `person`: a caller without a persona. An agent cannot confirm, so its run waits for a person's decision instead. */
export const RUN_POLICY: Record<"person" | PermissionMode, Record<SkillClass, PolicyDecision["outcome"]>> = {
  person: { safe: "start", mutating: "confirm", dangerous: "park" },
  "read-only": { safe: "start", mutating: "refuse", dangerous: "refuse" },
  "mutating-with-confirm": { safe: "start", mutating: "park", dangerous: "refuse" },
  "dual-sign-required": { safe: "start", mutating: "park", dangerous: "park" },
};

type PolicyRequest = {
  class: SkillClass;
  /** Null for a caller without a persona; `missing` when the token's persona was deleted. */
  persona: PersonaPolicy | null | "missing";
  confirmed: boolean;
  soloMode: boolean;
  /** No person is present at the start, so a dangerous run needs a signature in solo mode too. */
  unattended?: boolean;
  /** The author set `user-invocable: false`, and a person or a person's schedule asks for the run. */
  isAgentOnly?: boolean;
  skill: SkillNames;
};

/**
 * Why a caller may not use a skill at all: the persona was deleted, its lists exclude the skill, or its permission mode refuses
 * the class. Null when they may; a run may still need a confirmation or signatures. All lists and calls for agents use this
 * function, so that every offered skill can be used. `class` null: the skill has no active version, and only the lists count.
 */
export function whyRefused(
  persona: PersonaPolicy | null | "missing",
  skill: SkillNames & { class: SkillClass | null },
): { rule: PolicyRule; reason: string } | null {
  if (persona === null) return null;
  if (persona === "missing") return { rule: "persona-missing", reason: "The persona of this token no longer exists." };
  const away = whyListsExclude(persona, skill);
  if (away) {
    const reason = `The persona “${persona.name}” may not use “${skill.name}”: ${away.reason}.`;
    return { rule: away.rule, reason };
  }
  if (skill.class === null || RUN_POLICY[persona.permissionMode][skill.class] !== "refuse") return null;
  const reason = `“${skill.name}” is ${skill.class}; the persona “${persona.name}” is ${persona.permissionMode}.`;
  return { rule: "persona-mode", reason };
}

/** Decides on one request for a run. */
export function gateRun(question: PolicyRequest): PolicyDecision {
  const { persona, soloMode, skill, unattended = false, isAgentOnly = false } = question;
  const what = `“${skill.name}” is ${question.class}`;
  const refused = whyRefused(persona, { ...skill, class: question.class });
  if (refused !== null || persona === "missing")
    return refuse(refused?.rule ?? "persona-missing", refused?.reason ?? "");
  if (isAgentOnly) {
    return refuse("user-invocation", `People cannot run “${skill.name}” directly: agents and pipelines run it.`);
  }
  const step = RUN_POLICY[persona?.permissionMode ?? "person"][question.class];
  if (step === "start") return decision("start", "safe-starts", `${what}: it runs immediately.`);
  const signatures = runSignaturesNeeded(question.class, soloMode);
  if (step === "park" && question.class === "mutating") {
    const reason = `${what}; an agent cannot confirm it, so a person decides.`;
    return decision("park", "agent-cannot-confirm", reason, signatures);
  }
  if (step === "park" && !(soloMode && persona === null && !unattended)) {
    return soloMode
      ? decision("park", "dangerous-in-solo-mode", `${what}; in solo mode one person has to approve it.`, signatures)
      : decision("park", "dangerous-needs-two-others", `${what}; two other people must approve it.`, signatures);
  }
  return confirmation(question, what);
}

function confirmation({ class: runClass, confirmed }: PolicyRequest, what: string): PolicyDecision {
  const isDangerous = runClass === "dangerous";
  if (!confirmed) {
    const rule = isDangerous ? "dangerous-in-solo-mode" : "mutating-needs-confirmation";
    return decision("confirm", rule, `${what}: it changes data. Send confirm: true to run it.`);
  }
  return isDangerous
    ? decision("start", "dangerous-in-solo-mode", `${what}; in solo mode the caller’s own confirmation is enough.`)
    : decision("start", "mutating-confirmed", `${what} and the caller confirmed it.`);
}

function decision(
  outcome: PolicyDecision["outcome"],
  rule: PolicyRule,
  reason: string,
  signatures = 0,
): PolicyDecision {
  return { outcome, rule, reason, signatures };
}

function refuse(rule: PolicyRule, reason: string): PolicyDecision {
  return decision("refuse", rule, reason);
}

/** Throws `confirmation_required` or `forbidden`, with the rule, for a run that neither starts nor waits for signatures. */
export function assertRunAllowed(opened: PolicyDecision): void {
  const { outcome, reason, rule } = opened;
  if (outcome === "confirm") throw new AppError("confirmation_required", reason, { rule });
  if (outcome === "refuse") throw new AppError("forbidden", reason, { rule });
}

/** Whether the confirmation of a pipeline of this class also covers a step of that class. */
export function confirmsStep(pipelineClass: SkillClass, stepClass: SkillClass): boolean {
  return pipelineClass !== "safe" && highestClass(pipelineClass, stepClass) === pipelineClass;
}

/** The confirmation of a pipeline covers its mutating steps; dangerous steps need signatures; refusals stay. */
export function coverStep(step: PolicyDecision, stepClass: SkillClass, pipelineClass: SkillClass): PolicyDecision {
  if (step.outcome !== "park" && step.outcome !== "confirm") return step;
  if (stepClass !== "mutating" || !confirmsStep(pipelineClass, stepClass)) return step;
  return decision("start", "mutating-confirmed", "It was confirmed together with its pipeline.");
}
