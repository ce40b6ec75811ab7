import { findPersona } from "@/lib/auth/find-persona";
import type { Persona } from "@/lib/auth/schema";
import type { PersonActor } from "@/lib/core/actor";
import { processStore } from "@/lib/core/process-store";
import type { Ctx } from "@/lib/db/context";
import { findEntry } from "@/lib/policy/eligibility/find-entry";
import { hostsOf } from "@/lib/policy/eligibility/hosts-of";
import type { OnlineWorker } from "@/lib/policy/eligibility/judge-runtime";
import { judgeSkill } from "@/lib/policy/eligibility/judge-skill";
import type { EligibilityPolicy } from "@/lib/policy/eligibility/schema";
import { whyKeptAway } from "@/lib/policy/match-skill-lists";
import { ownerIdOf } from "@/lib/policy/owner-key";
import { rankSkills } from "@/lib/policy/rank-skills";
import { requireScope, seesAll } from "@/lib/policy/require-scope";
import { getSettings } from "@/lib/settings/get-settings";
import { schemaErrorsAt } from "@/lib/skill-format/args-schema";
import { readEligibilityPolicy } from "@/lib/skills/access/eligibility-policy";
import { onlineWorkers } from "@/lib/skills/access/online-workers";
import { planOf } from "@/lib/skills/pipeline/get-pipeline";
import type { PipelinePlan } from "@/lib/skills/pipeline/schema";
import { isVisible } from "@/lib/skills/scopes/is-visible";
import { scopeCaller } from "@/lib/skills/scopes/scope-caller";
import { type EnabledSkill, enabledSkills } from "./enabled-skills";
import type { HiddenReason } from "./schema";

export type HiddenSkill = { id: string; name: string; reason: HiddenReason; why: string };

/** What somebody's agent is offered: one skill for each name, the highest ranked, and what is switched on and hidden. */
export type Offer = {
  revision: number;
  skills: EnabledSkill[];
  hidden: HiddenSkill[];
  /** What each offered pipeline would do for the caller, by its id. */
  plans: ReadonlyMap<string, PipelinePlan>;
};

const MAX_KEPT = 300;

type Kept = { basis: string; offer: Offer };

/**
 * The skills that the caller's agent is offered now: those that are always there first, then by rank. `capabilities`: what the agent's own
 * host says that it can do, see `hostsOf`. Kept for each caller as long as the revision and the workers that are online stay
 * the same; nothing that changed before this call is missed. Needs the scope `read`.
 */
export async function offeredSkills(
  ctx: Ctx,
  { capabilities = null }: { capabilities?: readonly string[] | null } = {},
): Promise<Offer> {
  const actor = requireScope(ctx.actor, "read");
  const { revision, skills } = await enabledSkills(ctx);
  const persona = await findPersona(ctx, actor);
  if (persona === "missing") return { revision, skills: [], hidden: [], plans: NO_PLANS };
  const workers = await onlineWorkers(ctx);
  const caller = JSON.stringify([actor.userId, scopeCaller(actor).personaId, seesAll(actor), capabilities]);
  const { pipelineMaxDepth } = await getSettings(ctx);
  const basis = JSON.stringify([revision, persona?.updatedAt ?? null, workers, pipelineMaxDepth]);
  const kept = keptOf(ctx);
  const known = kept.get(caller);
  if (known?.basis === basis && !ctx.tx) return known.offer;
  const adoptions = await ctx.db.adoption.findMany({ where: { userId: actor.userId }, select: { skillId: true } });
  const adopted = new Set(adoptions.map(({ skillId }) => skillId));
  const policy = await readEligibilityPolicy(ctx);
  const plans = await planPipelines(
    ctx,
    skills.filter((skill) => isVisible(actor, { ...skill, isAdopted: adopted.has(skill.id) })),
  );
  const hosts = hostsOf(workers, capabilities);
  const offer = { revision, plans, ...choose(actor, skills, { adopted, persona, policy, hosts, plans }) };
  kept.delete(caller);
  kept.set(caller, { basis, offer });
  const [oldest] = kept.keys();
  if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
  return offer;
}

const NO_PLANS: ReadonlyMap<string, PipelinePlan> = new Map();

/** The plans of the pipelines among them; none for one that cannot be planned. */
async function planPipelines(ctx: Ctx, skills: readonly EnabledSkill[]): Promise<ReadonlyMap<string, PipelinePlan>> {
  const ids = skills.filter(({ isPipeline }) => isPipeline).map(({ id }) => id);
  if (ids.length === 0) return NO_PLANS;
  const rows = await ctx.db.skill.findMany({ where: { id: { in: ids } }, include: { current: true, pending: true } });
  const plans = new Map<string, PipelinePlan>();
  for (const row of rows) {
    const plan = await planOf(ctx, row);
    if (plan !== null) plans.set(row.id, plan);
  }
  return plans;
}

function keptOf(ctx: Ctx): Map<string, Kept> {
  const all = processStore("offered-skills", () => new WeakMap<object, Map<string, Kept>>());
  const known = all.get(ctx.database) ?? new Map<string, Kept>();
  all.set(ctx.database, known);
  return known;
}

type Question = {
  adopted: ReadonlySet<string>;
  persona: Persona | null;
  policy: EligibilityPolicy;
  hosts: OnlineWorker[];
  plans: ReadonlyMap<string, PipelinePlan>;
};

function choose(actor: PersonActor, enabled: EnabledSkill[], question: Question): Pick<Offer, "skills" | "hidden"> {
  const scoped = enabled.map((skill) => {
    // What an admin says of one skill goes over what its author wrote.
    const always = findEntry(question.policy, skill.address)?.entry.always ?? skill.manifest.always;
    return { ...skill, manifest: { ...skill.manifest, always }, isAdopted: question.adopted.has(skill.id) };
  });
  const hidden: HiddenSkill[] = [];
  const hide = ({ id, name }: EnabledSkill, reason: HiddenReason, why: string) =>
    hidden.push({ id, name, reason, why });
  const fitting = scoped.filter((skill) => {
    if (!isVisible(actor, skill)) return false;
    const away = whyHidden(actor, skill, question);
    if (away !== null) hide(skill, away.reason, away.why);
    return away === null;
  });
  const byName = new Map<string, EnabledSkill>();
  for (const skill of rankSkills(fitting, scopeCaller(actor))) {
    const first = byName.get(skill.slug);
    if (first === undefined) byName.set(skill.slug, skill);
    else hide(skill, "name", `“${first.name}” means another skill.`);
  }
  const skills = [...byName.values()].sort((a, b) => Number(b.manifest.always) - Number(a.manifest.always));
  return { skills, hidden };
}

function whyHidden(
  actor: PersonActor,
  skill: EnabledSkill,
  { persona, policy, hosts, plans }: Question,
): { reason: HiddenReason; why: string } | null {
  if (!skill.listed) return { reason: "unlisted", why: "An admin took it off the list." };
  if (skill.state !== "approved") return { reason: "unapproved", why: "No version of it is approved." };
  if (skill.isForOwnUse && ownerIdOf(skill.ownerKey) !== actor.userId)
    return { reason: "unapproved", why: "Its owner approved it alone, for their own use." };
  const away = persona === null ? null : whyKeptAway(persona, skill);
  if (away !== null) return { reason: "persona", why: `The persona keeps it away: ${away.reason}.` };
  const broken = skill.isPipeline ? whyNotPlanned(plans.get(skill.id)) : skill.schemaProblem;
  if (broken !== null) return { reason: skill.isPipeline ? "pipeline" : "schema", why: broken };
  const { always, requirements } = skill.manifest;
  const judged = { ...skill.address, isEnabled: true, isListed: true, isApproved: true, always, requirements };
  const failed = judgeSkill(judged, policy, hosts).stages.find(({ passed }) => !passed);
  if (failed === undefined) return null;
  const reason = failed.stage === "switch" ? "override" : failed.stage === "requirements" ? "requirements" : "runtime";
  return { reason, why: failed.reason };
}

/** Why the run of a pipeline would be refused now; the same that a start of it says. */
function whyNotPlanned(plan: PipelinePlan | undefined): string | null {
  if (plan === undefined) return "Its steps cannot be resolved.";
  const [problem] = plan.problems;
  const [wrong] = schemaErrorsAt("schema", plan.schema);
  const step = plan.steps.find((one) => one.problem !== null);
  return (
    problem?.message ?? step?.problem ?? (wrong && `Its schema is invalid. ${wrong.path}: ${wrong.message}`) ?? null
  );
}
