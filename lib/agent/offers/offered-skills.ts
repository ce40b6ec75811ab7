import { LRUCache } from "lru-cache";
import { findPersona } from "@/lib/auth/personas";
import type { Persona } from "@/lib/auth/schema";
import type { PersonActor } from "@/lib/core/actor";
import { storeOf } from "@/lib/core/process-store";
import type { Ctx } from "@/lib/db/context";
import { findEntry } from "@/lib/policy/eligibility/find-entry";
import { hostsOf, judgeSkill, type OnlineWorker } from "@/lib/policy/eligibility/judge-skill";
import type { EligibilityPolicy, Stage } from "@/lib/policy/eligibility/schema";
import { gateRun, whyRefused } from "@/lib/policy/gate-run";
import { ownerIdOf, rankSkills } from "@/lib/policy/ownership";
import { hasScope, requireScope, seesAll } from "@/lib/policy/require-scope";
import { getSettings } from "@/lib/settings/settings";
import { schemaErrorsAt } from "@/lib/skill-format/arguments/args-schema";
import { readEligibilityPolicy } from "@/lib/skills/access/eligibility-policy";
import { onlineWorkers } from "@/lib/skills/access/judge-stored-skill";
import { planStoredPipeline } from "@/lib/skills/pipeline/plan-pipeline";
import type { PipelinePlan } from "@/lib/skills/pipeline/schema";
import { isVisible, scopeCaller } from "@/lib/skills/skill-access";
import { isBuiltInTool, skillToolName } from "../built-in-tools";

import { type EnabledSkill, enabledSkills } from "./enabled-skills";
import type { HiddenReason } from "./schema";

/** `rule`: the rule of the refusal. `tool`: its tool name; null for a skill that does not run. */
export type HiddenSkill = {
  id: string;
  name: string;
  reason: HiddenReason;
  why: string;
  rule: string;
  tool: string | null;
};

/** An offered skill. A pipeline has the highest class of its steps. */
export type OfferedEntry = EnabledSkill & {
  /** Its tool name; null when it does not run, or not for this caller. */
  tool: string | null;
  asksPerson: boolean;
  plan: PipelinePlan | null;
};

/** What an agent is offered: for each name the highest-ranked skill; and the enabled skills that are hidden, with reasons. */
export type Offer = { revision: number; skills: OfferedEntry[]; hidden: HiddenSkill[] };

export type OfferOptions = {
  capabilities?: readonly string[] | null;
  canConfirm?: boolean;
};

const MAX_KEPT = 300;
const NOT_CONFIRMED =
  "A person must confirm each run of it, and this client cannot ask one (elicitation). Run it on its page, or use a token with a persona: its runs wait for approval.";

type Kept = { basis: string; offer: Offer };

/**
 * The skills that the caller's agent may use: `always` skills first, then by rank. All lists and calls of agents use this
 * function. Cached per caller while revision, persona, solo mode, maximum pipeline depth and online workers stay the same, so
 * earlier changes are always visible. Needs the scope `read`.
 */
export async function offeredSkills(
  ctx: Ctx,
  { capabilities = null, canConfirm = true }: OfferOptions = {},
): Promise<Offer> {
  const actor = requireScope(ctx.actor, "read");
  const { revision, skills } = await enabledSkills(ctx);
  const persona = await findPersona(ctx, actor);
  if (persona === "missing") return { revision, skills: [], hidden: [] };
  const workers = await onlineWorkers(ctx);
  const { soloMode, pipelineMaxDepth } = await getSettings(ctx);
  const mayRun = hasScope(actor, "run");
  const scopes = [scopeCaller(actor).personaId, seesAll(actor), mayRun];
  const caller = JSON.stringify([actor.userId, ...scopes, capabilities, canConfirm]);
  const basis = JSON.stringify([revision, persona?.updatedAt ?? null, soloMode, pipelineMaxDepth, workers]);
  const kept = storeOf(ctx.database, "offered-skills", () => new LRUCache<string, Kept>({ max: MAX_KEPT }));
  const known = kept.get(caller);
  if (known?.basis === basis && !ctx.tx) return known.offer;
  const adoptions = await ctx.db.adoption.findMany({ where: { userId: actor.userId }, select: { skillId: true } });
  const adopted = new Set(adoptions.map(({ skillId }) => skillId));
  const policy = await readEligibilityPolicy(ctx);
  const [hosts, workerHosts] = [hostsOf(workers, capabilities), hostsOf(workers, null)];
  const question = { adopted, persona, policy, hosts, workerHosts, soloMode, mayRun, canConfirm };
  const offer = { revision, ...(await chooseSkills(ctx, actor, { enabled: skills, ...question })) };
  kept.set(caller, { basis, offer });
  return offer;
}

type Question = {
  enabled: EnabledSkill[];
  adopted: ReadonlySet<string>;
  persona: Persona | null;
  policy: EligibilityPolicy;
  /** Hosts for playbooks: the agent's own host when it reports capabilities, else the workers. */
  hosts: OnlineWorker[];
  workerHosts: OnlineWorker[];
  soloMode: boolean;
  mayRun: boolean;
  canConfirm: boolean;
};

async function chooseSkills(ctx: Ctx, actor: PersonActor, question: Question): Promise<Omit<Offer, "revision">> {
  const hidden: HiddenSkill[] = [];
  const hide = ({ id, name, runnable, toolName }: EnabledSkill, { reason, why, rule }: Exclusion) =>
    hidden.push({
      id,
      name,
      reason,
      why,
      rule: rule ?? `hidden-${reason}`,
      tool: runnable ? skillToolName(toolName) : null,
    });
  const fitting: (OfferedEntry & { isAdopted: boolean })[] = [];
  for (const skill of question.enabled) {
    if (!isVisible(actor, { ...skill, isAdopted: question.adopted.has(skill.id) })) continue;
    const judged = await judge(ctx, actor, skill, question);
    if ("excluded" in judged) hide(skill, judged.excluded);
    else fitting.push({ ...judged.entry, isAdopted: question.adopted.has(skill.id) });
  }
  const byName = new Map<string, OfferedEntry>();
  for (const skill of rankSkills(fitting, scopeCaller(actor))) {
    const first = byName.get(skill.slug);
    if (first === undefined) byName.set(skill.slug, skill);
    else hide(skill, { reason: "name", why: `“${first.name}” means another skill.` });
  }
  const skills = nameTools([...byName.values()], hide);
  return { skills: skills.sort((a, b) => Number(b.manifest.always) - Number(a.manifest.always)), hidden };
}

/** Resolves equal tool names: the first skill keeps it; own names come before those prefixed for a built-in tool. */
function nameTools(skills: OfferedEntry[], hide: (skill: EnabledSkill, why: Exclusion) => void): OfferedEntry[] {
  const tools = skills.filter(({ tool, manifest }) => tool !== null && !manifest.disableModelInvocation);
  const ordered = [
    ...tools.filter(({ toolName }) => !isBuiltInTool(toolName)),
    ...tools.filter(({ toolName }) => isBuiltInTool(toolName)),
  ];
  const first = new Map<string | null, OfferedEntry>();
  for (const skill of ordered) if (!first.has(skill.tool)) first.set(skill.tool, skill);
  return skills.flatMap((skill) => {
    const winner = first.get(skill.tool);
    if (skill.tool === null || winner === undefined || winner.id === skill.id) return skill;
    if (skill.hasPlaybook) return { ...skill, tool: null };
    hide(skill, { reason: "name", why: `The tool ${skill.tool} is another skill, “${winner.name}”.` });
    return [];
  });
}

type Exclusion = { reason: HiddenReason; why: string; rule?: string };
type Judged = { excluded: Exclusion } | { entry: OfferedEntry };

/** Whether and how the caller may use a visible skill. `above`: ids of the pipelines around it. */
async function judge(
  ctx: Ctx,
  actor: PersonActor,
  skill: EnabledSkill,
  question: Question,
  above: readonly string[] = [],
): Promise<Judged> {
  // An admin's override wins over the author's value.
  const always = findEntry(question.policy, skill.address)?.entry.always ?? skill.manifest.always;
  const asked = { ...skill, manifest: { ...skill.manifest, always } };
  const excluded = whyHidden(actor, asked, question);
  if (excluded !== null) return { excluded };
  const plan = skill.isPipeline ? await planFor(ctx, skill.id) : null;
  if (skill.isPipeline) {
    const broken = await whyBroken(ctx, actor, { skill, plan, above }, question);
    if (broken !== null) return { excluded: { reason: "pipeline", why: broken, rule: "pipeline_step" } };
  }
  const { persona, soloMode, mayRun, canConfirm } = question;
  const whole = { ...asked, class: plan?.class ?? skill.class, plan };
  const refused = whyRefused(persona, whole);
  if (refused !== null) return { excluded: { reason: "mode", why: refused.reason, rule: refused.rule } };
  const { outcome, rule } = gateRun({ class: whole.class, persona, confirmed: false, soloMode, skill });
  const asksPerson = skill.runnable && outcome === "confirm";
  const runs = skill.runnable && mayRun && (canConfirm || !asksPerson) && judgeBy(asked, question).passed;
  if (!runs && !skill.hasPlaybook) {
    if (mayRun && asksPerson) return { excluded: { reason: "confirmation", why: NOT_CONFIRMED, rule } };
    return {
      excluded: { reason: "scope", why: "It can only be run, and the token lacks the scope “run”.", rule: "scope-run" },
    };
  }
  return { entry: { ...whole, tool: runs ? skillToolName(skill.toolName) : null, asksPerson } };
}

async function planFor(ctx: Ctx, id: string): Promise<PipelinePlan | null> {
  const row = await ctx.db.skill.findUnique({ where: { id }, include: { current: true, pending: true } });
  return row === null ? null : planStoredPipeline(ctx, row);
}

type Planned = { skill: EnabledSkill; plan: PipelinePlan | null; above: readonly string[] };

/** Why this caller could not complete a run of a pipeline, for example because a step may not be used; else null. */
async function whyBroken(
  ctx: Ctx,
  actor: PersonActor,
  { skill, plan, above }: Planned,
  question: Question,
): Promise<string | null> {
  if (plan === null) return "It is too large to be checked.";
  const [problem] = [
    ...plan.problems.map(({ message }) => message),
    ...plan.steps.flatMap((step) => step.problem ?? []),
  ];
  if (problem !== undefined) return problem;
  const [wrong] = schemaErrorsAt("schema", plan.schema);
  if (wrong !== undefined) return `Its schema is invalid. ${wrong.path}: ${wrong.message}`;
  for (const step of plan.steps) {
    const called = question.enabled.find(({ id }) => id === step.skill?.id);
    if (called === undefined || above.includes(called.id)) return `Step ${step.index + 1} calls no active skill.`;
    const asStep = { ...question, canConfirm: true, mayRun: true };
    const judged = await judge(ctx, actor, called, asStep, [...above, skill.id]);
    // A class that the persona's mode refuses is reported for the pipeline as a whole.
    if ("excluded" in judged && judged.excluded.reason !== "mode") {
      return `Step ${step.index + 1} calls “${called.name}”. ${judged.excluded.why}`;
    }
  }
  return null;
}

function whyHidden(
  actor: PersonActor,
  skill: EnabledSkill,
  { persona, policy, hosts, workerHosts }: Question,
): Exclusion | null {
  if (!skill.listed) return { reason: "unlisted", why: "An admin blocked it.", rule: "unlisted" };
  if (skill.state !== "approved") return { reason: "unapproved", why: "It has no approved version." };
  if (skill.isForOwnUse && ownerIdOf(skill.ownerKey) !== actor.userId)
    return { reason: "unapproved", why: "Its owner approved it alone, for their own use." };
  const refused = whyRefused(persona, skill);
  if (refused !== null) {
    const reason = refused.rule === "persona-mode" ? "mode" : "persona";
    return { reason, why: refused.reason, rule: refused.rule };
  }
  if (skill.schemaProblem !== null) return { reason: "schema", why: skill.schemaProblem };
  const failed = judgeBy(skill, { policy, workerHosts: skill.hasPlaybook ? hosts : workerHosts });
  if (failed.passed) return null;
  const reason = failed.stage === "switch" ? "override" : failed.stage === "requirements" ? "requirements" : "runtime";
  return { reason, why: failed.reason, rule: `ineligible-${failed.stage}` };
}

/** The first stage that a skill fails on these hosts, else the last stage. */
function judgeBy(
  { address, manifest }: EnabledSkill,
  { policy, workerHosts }: Pick<Question, "policy" | "workerHosts">,
): Stage {
  const { always, requirements } = manifest;
  const judged = { ...address, isEnabled: true, isListed: true, isApproved: true, always, requirements };
  const { stages } = judgeSkill(judged, policy, workerHosts);
  const stage = stages.find(({ passed }) => !passed) ?? stages.at(-1);
  if (stage === undefined) throw new Error("judgeSkill returned no stage");
  return stage;
}
