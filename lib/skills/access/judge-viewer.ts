import type { Ctx } from "@/lib/db/context";
import type { Stage } from "@/lib/policy/eligibility/schema";
import { gateRun } from "@/lib/policy/gate-run";
import { whyKeptAway } from "@/lib/policy/match-skill-lists";
import { isShared, parseOwnerKey } from "@/lib/policy/owner-key";
import { hasScope } from "@/lib/policy/require-scope";
import { SkillClass } from "@/lib/skill-format/schema";
import { findPlaces } from "../scopes/find-places";
import { scopeCaller } from "../scopes/scope-caller";
import { type SkillRow, visibleTo } from "../skill-access";
import type { Agent } from "./find-agents";
import type { Viewer } from "./schema";

type Question = { skill: SkillRow; shared: Stage[]; soloMode: boolean };

/** Every stage between an agent and a skill, in order; what follows the first that is not passed is not looked at. */
export async function judgeViewer(ctx: Ctx, agent: Agent, { skill, shared, soloMode }: Question): Promise<Viewer> {
  const { persona } = agent;
  const away = whyKeptAway(persona, skill);
  const stages = untilFirstRefusal([
    await judgeReach(ctx, agent, skill),
    {
      stage: "persona",
      passed: away === null,
      reason: away ? `The persona “${persona.name}” keeps it away: ${away.reason}.` : `“${persona.name}” allows it.`,
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
    run: skill.runnable ? judgeRun(agent, skill, soloMode) : null,
  };
}

function judgeRun({ actor, persona }: Agent, skill: SkillRow, soloMode: boolean): Viewer["run"] {
  if (actor !== null && !hasScope(actor, "run")) {
    return { outcome: "refuse", reason: "Its token lacks the scope “run”." };
  }
  const { outcome, reason } = gateRun({
    class: SkillClass.parse(skill.class),
    persona,
    confirmed: false,
    soloMode,
    skill,
  });
  return { outcome, reason };
}

async function judgeReach(ctx: Ctx, { actor, persona }: Agent, skill: SkillRow): Promise<Stage> {
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
  const question = { caller: scopeCaller(actor), visible: visibleTo(actor), lists: persona };
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
