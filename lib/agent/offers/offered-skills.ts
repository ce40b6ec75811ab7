import { LRUCache } from "lru-cache";
import { findPersona } from "@/lib/auth/personas";
import type { Persona } from "@/lib/auth/schema";
import type { PersonActor } from "@/lib/core/actor";
import { storeOf } from "@/lib/core/process-store";
import type { Ctx } from "@/lib/db/context";
import { findEntry } from "@/lib/policy/eligibility/find-entry";
import type { OnlineWorker } from "@/lib/policy/eligibility/judge-runtime";
import { hostsOf } from "@/lib/policy/eligibility/judge-runtime";
import { judgeSkill } from "@/lib/policy/eligibility/judge-skill";
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

/** `rule`: what a call of it is refused with. `tool`: the name that it would be called by, null for what does not run. */
export type HiddenSkill = {
  id: string;
  name: string;
  reason: HiddenReason;
  why: string;
  rule: string;
  tool: string | null;
};

/** An offered skill, with its class as a whole: of a pipeline the highest of its steps. */
export type OfferedEntry = EnabledSkill & {
  /** The name that the caller runs it by; null for what does not run, or not for this caller. */
  tool: string | null;
  /** A person has to confirm each run. */
  asksPerson: boolean;
  plan: PipelinePlan | null;
};

/** What somebody's agent is offered: one skill for each name, the highest ranked, and what is switched on and hidden. */
export type Offer = { revision: number; skills: OfferedEntry[]; hidden: HiddenSkill[] };

export type OfferTo = {
  /** What the agent's own host says that it can do, see `hostsOf`. */
  capabilities?: readonly string[] | null;
  /** Whether a person can be asked to confirm a run where the agent calls; true when left out. */
  canConfirm?: boolean;
};

const MAX_KEPT = 300;
const NOT_CONFIRMED =
  "A person has to confirm each run of it, and this client cannot ask one (elicitation). Run it on its page, or use a token with a persona: its runs wait for people.";

type Kept = { basis: string; offer: Offer };

/**
 * The skills that the caller's agent may use now: those that are always there first, then by rank. Every list and every call of
 * agents asks this. Kept for each caller as long as the revision, the persona, the mode of confirming alone the depth that pipelines
 * may have and the workers that are online stay the same; nothing that changed before this call is missed. Needs the scope `read`.
 */
export async function offeredSkills(
  ctx: Ctx,
  { capabilities = null, canConfirm = true }: OfferTo = {},
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
  const offer = { revision, ...(await choose(ctx, actor, { enabled: skills, ...question })) };
  kept.set(caller, { basis, offer });
  return offer;
}

type Question = {
  enabled: EnabledSkill[];
  adopted: ReadonlySet<string>;
  persona: Persona | null;
  policy: EligibilityPolicy;
  /** What carries out what a playbook tells: the agent's own host, when it says what it can do, else the workers. */
  hosts: OnlineWorker[];
  /** What runs skills. */
  workerHosts: OnlineWorker[];
  soloMode: boolean;
  mayRun: boolean;
  canConfirm: boolean;
};

async function choose(ctx: Ctx, actor: PersonActor, question: Question): Promise<Omit<Offer, "revision">> {
  const hidden: HiddenSkill[] = [];
  const hide = ({ id, name, runnable, toolName }: EnabledSkill, { reason, why, rule }: Away) =>
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
    if ("away" in judged) hide(skill, judged.away);
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

/** Of two skills with one tool name the first keeps it; what has a name by itself comes before what was given it. */
function nameTools(skills: OfferedEntry[], hide: (skill: EnabledSkill, away: Away) => void): OfferedEntry[] {
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

type Away = { reason: HiddenReason; why: string; rule?: string };
type Judged = { away: Away } | { entry: OfferedEntry };

/** Whether the caller may use a visible skill, and how. `above`: the pipelines that it would run under. */
async function judge(
  ctx: Ctx,
  actor: PersonActor,
  skill: EnabledSkill,
  question: Question,
  above: readonly string[] = [],
): Promise<Judged> {
  // What an admin says of one skill goes over what its author wrote.
  const always = findEntry(question.policy, skill.address)?.entry.always ?? skill.manifest.always;
  const asked = { ...skill, manifest: { ...skill.manifest, always } };
  const away = whyHidden(actor, asked, question);
  if (away !== null) return { away };
  const plan = skill.isPipeline ? await planFor(ctx, skill.id) : null;
  if (skill.isPipeline) {
    const broken = await whyBroken(ctx, actor, { skill, plan, above }, question);
    if (broken !== null) return { away: { reason: "pipeline", why: broken, rule: "pipeline_step" } };
  }
  const { persona, soloMode, mayRun, canConfirm } = question;
  const whole = { ...asked, class: plan?.class ?? skill.class, plan };
  const refused = whyRefused(persona, whole);
  if (refused !== null) return { away: { reason: "mode", why: refused.reason, rule: refused.rule } };
  const { outcome, rule } = gateRun({ class: whole.class, persona, confirmed: false, soloMode, skill });
  const asksPerson = skill.runnable && outcome === "confirm";
  const runs = skill.runnable && mayRun && (canConfirm || !asksPerson) && judgeBy(asked, question).passed;
  if (!runs && !skill.hasPlaybook) {
    if (mayRun && asksPerson) return { away: { reason: "confirmation", why: NOT_CONFIRMED, rule } };
    return { away: { reason: "scope", why: "It only runs, and the token lacks the scope “run”.", rule: "scope-run" } };
  }
  return { entry: { ...whole, tool: runs ? skillToolName(skill.toolName) : null, asksPerson } };
}

async function planFor(ctx: Ctx, id: string): Promise<PipelinePlan | null> {
  const row = await ctx.db.skill.findUnique({ where: { id }, include: { current: true, pending: true } });
  return row === null ? null : planStoredPipeline(ctx, row);
}

type Planned = { skill: EnabledSkill; plan: PipelinePlan | null; above: readonly string[] };

/** Why a run of a pipeline could not get to its end for this caller: also because of a step that they may not use. */
async function whyBroken(
  ctx: Ctx,
  actor: PersonActor,
  { skill, plan, above }: Planned,
  question: Question,
): Promise<string | null> {
  if (plan === null) return "It is too large to be looked at.";
  const [problem] = [
    ...plan.problems.map(({ message }) => message),
    ...plan.steps.flatMap((step) => step.problem ?? []),
  ];
  if (problem !== undefined) return problem;
  const [wrong] = schemaErrorsAt("schema", plan.schema);
  if (wrong !== undefined) return `Its schema is invalid. ${wrong.path}: ${wrong.message}`;
  for (const step of plan.steps) {
    const called = question.enabled.find(({ id }) => id === step.skill?.id);
    if (called === undefined || above.includes(called.id)) return `Step ${step.index + 1} calls nothing that serves.`;
    const asStep = { ...question, canConfirm: true, mayRun: true };
    const judged = await judge(ctx, actor, called, asStep, [...above, skill.id]);
    // A class that the persona's mode refuses is that of the whole pipeline, which is said of it.
    if ("away" in judged && judged.away.reason !== "mode") {
      return `Step ${step.index + 1} calls “${called.name}”. ${judged.away.why}`;
    }
  }
  return null;
}

function whyHidden(
  actor: PersonActor,
  skill: EnabledSkill,
  { persona, policy, hosts, workerHosts }: Question,
): Away | null {
  if (!skill.listed) return { reason: "unlisted", why: "An admin took it off the list.", rule: "unlisted" };
  if (skill.state !== "approved") return { reason: "unapproved", why: "No version of it is approved." };
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

/** The first stage that a skill does not pass on some hosts, else the last. */
function judgeBy(
  { address, manifest }: EnabledSkill,
  { policy, workerHosts }: Pick<Question, "policy" | "workerHosts">,
): Stage {
  const { always, requirements } = manifest;
  const judged = { ...address, isEnabled: true, isListed: true, isApproved: true, always, requirements };
  const { stages } = judgeSkill(judged, policy, workerHosts);
  const stage = stages.find(({ passed }) => !passed) ?? stages.at(-1);
  if (stage === undefined) throw new Error("a skill was judged by nothing");
  return stage;
}
