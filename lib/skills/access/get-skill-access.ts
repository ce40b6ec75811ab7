import type { PersonActor } from "@/lib/core/actor";
import type { Ctx } from "@/lib/db/context";
import { installCommand } from "@/lib/policy/eligibility/install-command";
import { isShared, ORG, parseOwnerKey } from "@/lib/policy/owner-key";
import { hasScope, requireScope } from "@/lib/policy/require-scope";
import { getSettings } from "@/lib/settings/get-settings";
import type { SkillManifest } from "@/lib/skill-format/schema";
import { whyNotAdopt } from "../adoption/adopt-skill";
import { planOf } from "../pipeline/get-pipeline";
import { presentOwners } from "../present-owners";
import { placesForCaller } from "../scopes/places-for-caller";
import { canManage, findNamedSkill, type SkillRow, servedClass } from "../skill-access";
import { findAgents } from "./find-agents";
import { judgeStoredSkill } from "./judge-stored-skill";
import { judgeViewer } from "./judge-viewer";
import type { SkillAccess, Viewer } from "./schema";

/**
 * Who and which agents see a skill, and why not. An agent may ask why it is not offered something that its person shares
 * with it; of agents, people see their own and admins all.
 */
export async function getSkillAccess(ctx: Ctx, idOrName: string): Promise<SkillAccess> {
  const actor = requireScope(ctx.actor, "read");
  const skill = await findNamedSkill(ctx, idOrName);
  const { soloMode } = await getSettings(ctx);
  const { stages, requirements, manifest, override, address } = await judgeStoredSkill(ctx, skill);
  const { agents, more } = await findAgents(ctx, actor);
  const viewers: Viewer[] = [];
  const plan = await planOf(ctx, skill);
  const asked = { skill, shared: stages, soloMode, class: plan?.class ?? servedClass(skill) };
  const hasPlaybook = await isPlaybookStored(ctx, skill);
  for (const agent of agents) viewers.push(await judgeViewer(ctx, agent, { ...asked, hasPlaybook }));
  const place = (await placesForCaller(ctx, [skill])).get(skill.id);
  return {
    skill: { id: skill.id, name: skill.name },
    people: await sayWhoSees(ctx, skill),
    scope: place?.scope ?? null,
    shadowedBy: place?.shadowedBy ?? null,
    shadows: place?.shadows ?? [],
    stages,
    requirements,
    install: installWays(manifest),
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

async function sayWhoSees(ctx: Ctx, skill: SkillRow): Promise<string> {
  const owner = (await presentOwners(ctx, [skill])).get(skill.ownerKey);
  const whose = owner?.name || "a person who left";
  if (!skill.listed) return "Its owner, reviewers and admins, to put it right; nobody can use it.";
  if (skill.visibility === "public") return "Everybody, also without signing in where public skills are offered.";
  if (isShared(skill.ownerKey)) return "Everybody in the organisation.";
  const byRole = "Reviewers and admins see it too";
  if (owner?.kind === "persona") return `Agents under the persona “${whose}”. ${byRole}.`;
  return `${whose}. ${byRole}.`;
}

function installWays(manifest: SkillManifest | null): SkillAccess["install"] {
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
