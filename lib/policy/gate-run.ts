import { AppError } from "@/lib/core/errors";
import type { SkillClass } from "@/lib/skill-format/schema";
import { type SkillLists, type SkillNames, whyListsExclude } from "./match-skill-lists";
import type { PermissionMode } from "./schema";
import { runSignaturesNeeded } from "./sign-run";
import { highestClass } from "./signatures-needed";

/** The persona an agent acts under, as far as policy cares. */
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

/** What asking for a run leads to. `signatures`: how many people have to sign first; 0 unless it parks. */
export type PolicyDecision = {
  outcome: "start" | "confirm" | "park" | "refuse";
  rule: PolicyRule;
  reason: string;
  signatures: number;
};

type Step = "start" | "confirm" | "park" | "refuse";

/**
 * The policy: who asks, against the class of what is asked for. `person` is anybody without a persona, by session or by
 * personal token. An agent cannot confirm, so what a person would confirm waits for one instead.
 */
export const RUN_POLICY: Record<"person" | PermissionMode, Record<SkillClass, Step>> = {
  person: { safe: "start", mutating: "confirm", dangerous: "park" },
  "read-only": { safe: "start", mutating: "refuse", dangerous: "refuse" },
  "mutating-with-confirm": { safe: "start", mutating: "park", dangerous: "refuse" },
  "dual-sign-required": { safe: "start", mutating: "park", dangerous: "park" },
};

type PolicyRequest = {
  class: SkillClass;
  /** Null for somebody without a persona; `missing` when the persona of the token is gone. */
  persona: PersonaPolicy | null | "missing";
  confirmed: boolean;
  soloMode: boolean;
  /** Nobody is there when it starts: what is dangerous waits for a signature in solo mode too. */
  unattended?: boolean;
  /** Its author keeps it from people (`user-invocable: false`), and a person asks for it, or a schedule of theirs. */
  isAgentOnly?: boolean;
  skill: SkillNames;
};

/**
 * Why a caller may not use a skill at all: the persona is gone, its lists keep the skill away, or its permission mode refuses
 * the class. Null when they may; a run may still have to be confirmed or signed. Every list for agents and every call asks
 * this, so that what is offered can be used. `class` null: nothing of the skill serves, and the lists alone count.
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

/** Applies the policy to one request for a run. */
export function gateRun(question: PolicyRequest): PolicyDecision {
  const { persona, soloMode, skill, unattended = false, isAgentOnly = false } = question;
  const what = `“${skill.name}” is ${question.class}`;
  const refused = whyRefused(persona, { ...skill, class: question.class });
  if (refused !== null || persona === "missing")
    return refuse(refused?.rule ?? "persona-missing", refused?.reason ?? "");
  if (isAgentOnly) {
    return refuse("user-invocation", `“${skill.name}” is not for people to run: agents and pipelines run it.`);
  }
  const step = RUN_POLICY[persona?.permissionMode ?? "person"][question.class];
  if (step === "start") return decision("start", "safe-starts", `${what}: it starts at once.`);
  const signatures = runSignaturesNeeded(question.class, soloMode);
  if (step === "park" && question.class === "mutating") {
    const reason = `${what}; an agent cannot confirm it, so a person decides.`;
    return decision("park", "agent-cannot-confirm", reason, signatures);
  }
  if (step === "park" && !(soloMode && persona === null && !unattended)) {
    return soloMode
      ? decision("park", "dangerous-in-solo-mode", `${what}; in solo mode one person has to sign it.`, signatures)
      : decision("park", "dangerous-needs-two-others", `${what}; two other people have to sign it.`, signatures);
  }
  return confirmation(question, what);
}

function confirmation({ class: runClass, confirmed }: PolicyRequest, what: string): PolicyDecision {
  const isDangerous = runClass === "dangerous";
  if (!confirmed) {
    const rule = isDangerous ? "dangerous-in-solo-mode" : "mutating-needs-confirmation";
    return decision("confirm", rule, `${what}: it changes things. Send confirm: true to run it.`);
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

/** Throws what a gate that neither starts nor parks answers: `confirmation_required` or `forbidden`, naming the rule. */
export function assertRunAllowed(opened: PolicyDecision): void {
  const { outcome, reason, rule } = opened;
  if (outcome === "confirm") throw new AppError("confirmation_required", reason, { rule });
  if (outcome === "refuse") throw new AppError("forbidden", reason, { rule });
}

/** Whether what was confirmed for a pipeline of this class is a confirmation of a step too. */
export function confirmsStep(pipelineClass: SkillClass, stepClass: SkillClass): boolean {
  return pipelineClass !== "safe" && highestClass(pipelineClass, stepClass) === pipelineClass;
}

/**
 * What asking for a step of a pipeline leads to. Whoever confirmed or signed the pipeline did so for its mutating steps;
 * a dangerous one is signed for itself, and what is refused stays refused.
 */
export function coverStep(gate: PolicyDecision, stepClass: SkillClass, pipelineClass: SkillClass): PolicyDecision {
  if (gate.outcome !== "park" && gate.outcome !== "confirm") return gate;
  if (stepClass !== "mutating" || !confirmsStep(pipelineClass, stepClass)) return gate;
  const reason = "It was confirmed with the pipeline that it is a step of.";
  return { outcome: "start", rule: "mutating-confirmed", reason, signatures: 0 };
}
