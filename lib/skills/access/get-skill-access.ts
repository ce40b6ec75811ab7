import { z } from "zod";
import { describePersona } from "@/lib/auth/personas";
import type { Persona } from "@/lib/auth/schema";
import { isAgent, type PersonActor, Role, Scope } from "@/lib/core/actor";
import { parseJsonColumn } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import type { Stage } from "@/lib/policy/eligibility/schema";
import { gateRun, whyRefused } from "@/lib/policy/gate-run";
import { isShared, ORG, parseOwnerKey } from "@/lib/policy/ownership";
import { hasScope, requireScope } from "@/lib/policy/require-scope";
import { getSettings } from "@/lib/settings/settings";
import { type InstallEntry, SkillClass, type SkillManifest } from "@/lib/skill-format/schema";
import { whyNotAdopt } from "@/lib/skills/community/adoption";
import { planStoredPipeline } from "@/lib/skills/pipeline/plan-pipeline";
import {
  adoptedAmong,
  canManage,
  findNamedSkill,
  isVisible,
  type SkillRow,
  servedClass,
} from "@/lib/skills/skill-access";
import { judgeStoredSkill } from "./judge-stored-skill";
import { presentOwners, resolveNames, resolveNamesForCaller } from "./name-resolution";
import type { SkillAccess, Viewer } from "./schema";

type TokenActor = Extract<PersonActor, { kind: "token" }>;

type Agent = { id: string; name: string; person: string | null; actor: TokenActor | null; persona: Persona };

const MAX_AGENTS = 50;

/** Explains which people and agents see a skill, and why others do not. */
export async function getSkillAccess(ctx: Ctx, idOrName: string): Promise<SkillAccess> {
  const actor = requireScope(ctx.actor, "read");
  const skill = await findNamedSkill(ctx, idOrName);
  const { soloMode } = await getSettings(ctx);
  const { stages, requirements, manifest, override, address } = await judgeStoredSkill(ctx, skill);
  const { agents, more } = await findAgents(ctx, actor);
  const viewers: Viewer[] = [];
  const plan = await planStoredPipeline(ctx, skill);
  const asked = { skill, shared: stages, soloMode, class: plan?.class ?? servedClass(skill) };
  const hasPlaybook = await isPlaybookStored(ctx, skill);
  for (const agent of agents) viewers.push(await judgeViewer(ctx, agent, { ...asked, hasPlaybook }));
  const place = (await resolveNamesForCaller(ctx, [skill])).get(skill.id);
  return {
    skill: { id: skill.id, name: skill.name },
    people: await describeAudience(ctx, skill),
    scope: place?.scope ?? null,
    shadowedBy: place?.shadowedBy ?? null,
    shadows: place?.shadows ?? [],
    stages,
    requirements,
    install: installMethods(manifest),
    override: override && { by: override.by, key: override.key },
    address,
    viewers,
    more,
    adoption: {
      ...ability(whyNotAdopt(actor, skill)?.message ?? null),
      adopted: place?.isAdopted ?? false,
      adopters: await ctx.db.adoption.count({ where: { skillId: skill.id } }),
    },
    publish: await publishState(ctx, actor, skill),
    mayUnlist: hasScope(actor, "admin"),
  };
}

function ability(whyNot: string | null) {
  return { may: whyNot === null, whyNot };
}

async function isPlaybookStored(ctx: Ctx, { currentId, pendingId }: SkillRow): Promise<boolean> {
  const paths = { in: ["SKILL.md", "skill.md", "Skill.md"] };
  return (await ctx.db.versionFile.count({ where: { versionId: currentId ?? pendingId ?? "", path: paths } })) > 0;
}

async function describeAudience(ctx: Ctx, skill: SkillRow): Promise<string> {
  const owner = (await presentOwners(ctx, [skill])).get(skill.ownerKey);
  const whose = owner?.name || "a person who left";
  if (!skill.listed) return "Its owner, reviewers and admins. It cannot be used while it is blocked.";
  if (skill.visibility === "public") return "Everyone, also without signing in through the public endpoints.";
  if (isShared(skill.ownerKey)) return "Everyone in the organisation.";
  const byRole = "Reviewers and admins see it too";
  if (owner?.kind === "persona") return `Agents under the persona “${whose}”. ${byRole}.`;
  return `${whose}. ${byRole}.`;
}

function installMethods(manifest: SkillManifest | null): SkillAccess["install"] {
  return (manifest?.install ?? []).map((entry) => ({
    kind: entry.kind,
    label: entry.label ?? entry.id ?? entry.kind,
    bins: entry.bins,
    command: installCommand(entry),
  }));
}

async function publishState(ctx: Ctx, actor: PersonActor, skill: SkillRow): Promise<SkillAccess["publish"]> {
  if (parseOwnerKey(skill.ownerKey).kind !== "user") {
    return { ...ability("Only personal skills are published to the organisation."), published: null };
  }
  const twin = await ctx.db.skill.findFirst({ where: { ownerKey: ORG, liveSlug: skill.slug, deletedAt: null } });
  const published = twin && { id: twin.id, approved: twin.currentId !== null };
  if (!hasScope(actor, "write") || !canManage(actor, skill)) {
    return { ...ability("Only its owner and admins publish it."), published };
  }
  if (skill.currentId === null && skill.pendingId === null) {
    return { ...ability("It has no version that could be handed to review."), published };
  }
  return { ...ability(null), published };
}

type Question = {
  skill: SkillRow;
  shared: Stage[];
  soloMode: boolean;
  class: SkillClass | null;
  hasPlaybook: boolean;
};

/** Checks all stages between an agent and a skill, in order; stages after the first failed one are not checked. */
async function judgeViewer(ctx: Ctx, agent: Agent, question: Question): Promise<Viewer> {
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
    reason: failed?.reason ?? "The skill is offered to this agent.",
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
    if (isShared(skill.ownerKey)) return stage(true, "The skill belongs to the organisation.");
    if (owner.kind !== "persona") return stage(false, "The skill is personal, and no token uses this persona.");
    return owner.id === persona.id
      ? stage(true, "The skill belongs to this persona.")
      : stage(false, "The skill belongs to another persona.");
  }
  if (!hasScope(actor, "read")) return stage(false, "Its token lacks the scope “read”.");
  if (skill.runnable && !hasPlaybook && !hasScope(actor, "run")) {
    return stage(false, "The skill can only be run, and the token lacks the scope “run”.");
  }
  const isAdopted = (await adoptedAmong(ctx, actor.userId, [skill])).has(skill.id);
  if (isVisible(actor, { ...skill, isAdopted })) return stage(true, "The skill is in one of the agent’s scopes.");
  if (owner.kind === "persona") return stage(false, "The skill belongs to another persona.");
  return skill.visibility === "public"
    ? stage(false, `${actor.name} has not adopted the skill.`)
    : stage(false, `The skill is private and does not belong to ${actor.name}.`);
}

async function judgeName(ctx: Ctx, { actor, persona }: Agent, skill: SkillRow): Promise<Stage> {
  const passed: Stage = { stage: "name", passed: true, reason: "The name resolves to this skill." };
  if (actor === null) return passed;
  const first = (await resolveNames(ctx, [skill], { actor, persona })).get(skill.id)?.shadowedBy;
  if (!first) return passed;
  const reason = `For this agent “${first.name}” names another skill. ${first.reason}`;
  return { stage: "name", passed: false, reason };
}

function untilFirstRefusal(stages: Stage[]): Stage[] {
  const first = stages.findIndex(({ passed }) => passed === false);
  if (first === -1) return stages;
  return stages.map((stage, index) => (index > first ? { ...stage, passed: null, reason: "Not checked." } : stage));
}

/** Live agent tokens that the caller may see: own ones, all for admins, and only itself for an agent. */
async function findAgents(ctx: Ctx, actor: PersonActor): Promise<{ agents: Agent[]; more: number }> {
  const isAdmin = hasScope(actor, "admin");
  const where = {
    revokedAt: null,
    OR: [{ expiresAt: null }, { expiresAt: { gt: ctx.now() } }],
    personaId: { not: null },
    user: { state: "active" },
    ...(isAdmin ? {} : { userId: actor.userId }),
    ...(isAgent(actor) ? { id: actor.tokenId } : {}),
  };
  const rows = await ctx.db.apiToken.findMany({
    where,
    include: { user: true, persona: true },
    orderBy: [{ lastUsedAt: "desc" }, { id: "desc" }],
    take: MAX_AGENTS,
  });
  const agents = rows.flatMap(({ user, persona, ...token }): Agent[] => {
    if (persona === null) return [];
    const who = { userId: user.id, name: user.name, email: user.email, role: Role.parse(user.role) };
    const scopes = parseJsonColumn(z.array(Scope), token.scopes);
    const itself: TokenActor = {
      ...{ kind: "token", ...who, scopes },
      ...{ tokenId: token.id, tokenName: token.name, personaId: persona.id },
    };
    return [{ id: token.id, name: token.name, person: user.name, actor: itself, persona: describePersona(persona) }];
  });
  const more = rows.length < MAX_AGENTS ? 0 : (await ctx.db.apiToken.count({ where })) - rows.length;
  if (!isAdmin) return { agents, more };
  const used = agents.map(({ persona }) => persona.id);
  const idle = await ctx.db.persona.findMany({
    where: { id: { notIn: used } },
    orderBy: { name: "asc" },
    take: MAX_AGENTS,
  });
  const personas = idle.map(describePersona);
  return {
    agents: [...agents, ...personas.map((persona) => ({ ...persona, person: null, actor: null, persona }))],
    more,
  };
}

/** A package, module or address that a shell reads as one plain word. */
const PLAIN = /^[A-Za-z0-9@][A-Za-z0-9@._/:+~^=-]*$/;

const COMMANDS: Record<string, (target: string) => string> = {
  brew: (target) => `brew install ${target}`,
  apt: (target) => `sudo apt-get install ${target}`,
  node: (target) => `npm install -g ${target}`,
  npm: (target) => `npm install -g ${target}`,
  go: (target) => `go install ${target.includes("@") ? target : `${target}@latest`}`,
  uv: (target) => `uv tool install ${target}`,
  download: (target) => `curl -fLO ${target}`,
};

/** For a person to copy; the server never runs it. Null for an unknown kind or a target of more than one shell word. */
export function installCommand({ kind, target }: InstallEntry): string | null {
  const write = Object.hasOwn(COMMANDS, kind) ? COMMANDS[kind] : undefined;
  return write && target !== null && PLAIN.test(target) ? write(target) : null;
}
