import type { Ctx } from "@/lib/db/context";
import type { Stage } from "@/lib/policy/eligibility/schema";
import { gateRun, whyRefused } from "@/lib/policy/gate-run";
import { isShared, parseOwnerKey } from "@/lib/policy/owner-key";
import { hasScope } from "@/lib/policy/require-scope";
import { SkillClass } from "@/lib/skill-format/schema";
import { findPlaces } from "../scopes/find-places";
import { scopeCaller } from "../scopes/scope-caller";
import { type SkillRow, visibleTo } from "../skill-access";
import type { Agent } from "./find-agents";
import type { Viewer } from "./schema";

type Question = {
  skill: SkillRow;
  shared: Stage[];
  soloMode: boolean;
  /** Of a run as a whole; null while nothing of it serves. */
  class: SkillClass | null;
  hasPlaybook: boolean;
};

/** Every stage between an agent and a skill, in order; what follows the first that is not passed is not looked at. */
export async function judgeViewer(ctx: Ctx, agent: Agent, question: Question): Promise<Viewer> {
  const { persona } = agent;
  const { skill, shared } = question;
  const away = whyRefused(persona, { ...skill, class: question.class });
  const stages = untilFirstRefusal([
    await judgeReach(ctx, agent, question),
    {
      stage: "persona",
      passed: away === null,
      reason: away?.reason ?? `“${persona.name}” allows it.`,
    },
    ...shared,
    await judgeName(ctx, agent, skill),
  ]);
  const failed = stages.find(({ passed }) => passed === false);
  return {
    kind: agent.actor === null ? "persona" : "agent",
    id: agent.id,
    name: agent.name,
    person: agent.person,
    persona: { id: persona.id, name: persona.name, permissionMode: persona.permissionMode },
    sees: failed === undefined,
    reason: failed?.reason ?? "It is offered to this agent.",
    stages,
    run: skill.runnable ? judgeRun(agent, question) : null,
  };
}

function judgeRun({ actor, persona }: Agent, { skill, soloMode, ...question }: Question): Viewer["run"] {
  if (actor !== null && !hasScope(actor, "run")) {
    return { outcome: "refuse", reason: "Its token lacks the scope “run”." };
  }
  const { outcome, reason } = gateRun({
    class: question.class ?? SkillClass.parse(skill.class),
    persona,
    confirmed: false,
    soloMode,
    skill,
  });
  return { outcome, reason };
}

async function judgeReach(ctx: Ctx, { actor, persona }: Agent, { skill, hasPlaybook }: Question): Promise<Stage> {
  const stage = (passed: boolean, reason: string): Stage => ({ stage: "reach", passed, reason });
  const owner = parseOwnerKey(skill.ownerKey);
  if (actor === null) {
    if (isShared(skill.ownerKey)) return stage(true, "Everybody in the organisation has it.");
    if (owner.kind !== "persona") return stage(false, "It is a personal skill, and no token acts under this persona.");
    return owner.id === persona.id
      ? stage(true, "It is the persona’s own.")
      : stage(false, "It belongs to another persona.");
  }
  if (!hasScope(actor, "read")) return stage(false, "Its token lacks the scope “read”.");
  if (skill.runnable && !hasPlaybook && !hasScope(actor, "run")) {
    return stage(false, "It only runs, and the token lacks the scope “run”.");
  }
  const count = await ctx.db.skill.count({ where: { AND: [visibleTo(actor), { id: skill.id }] } });
  if (count > 0) return stage(true, "It lies in one of its scopes.");
  if (owner.kind === "persona") return stage(false, "It belongs to another persona.");
  return skill.visibility === "public"
    ? stage(false, `${actor.name} has not adopted it.`)
    : stage(false, `It is private, and not ${actor.name}’s.`);
}

async function judgeName(ctx: Ctx, { actor, persona }: Agent, skill: SkillRow): Promise<Stage> {
  const passed: Stage = { stage: "name", passed: true, reason: "Its name means this skill." };
  if (actor === null) return passed;
  const question = { caller: scopeCaller(actor), visible: visibleTo(actor), persona };
  const first = (await findPlaces(ctx, [skill], question)).get(skill.id)?.shadowedBy;
  if (!first) return passed;
  const reason = `“${first.name}” means another skill to it. ${first.reason}`;
  return { stage: "name", passed: false, reason };
}

function untilFirstRefusal(stages: Stage[]): Stage[] {
  const first = stages.findIndex(({ passed }) => passed === false);
  if (first === -1) return stages;
  return stages.map((stage, index) => (index > first ? { ...stage, passed: null, reason: "Not looked at." } : stage));
}
