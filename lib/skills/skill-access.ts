import { findPersona } from "@/lib/auth/find-persona";
import type { PersonActor } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import { isIdShaped } from "@/lib/core/ids";
import type { Ctx } from "@/lib/db/context";
import type { Prisma } from "@/lib/db/generated/client";
import { whyKeptAway } from "@/lib/policy/match-skill-lists";
import { isShared, ORG as ORG_KEY, ownerIdOf, parseOwnerKey, personaKey } from "@/lib/policy/owner-key";
import { rankSkills } from "@/lib/policy/rank-skills";
import { hasScope, requirePerson, requireScope } from "@/lib/policy/require-scope";
import { adoptedAmong } from "./adoption/adopted-among";
import { loadSkill, loadVersion } from "./load-skill";
import { scopeCaller } from "./scopes/scope-caller";

/** Owner key of skills that belong to the organisation. */
export const ORG = ORG_KEY;

/**
 * Which skills a person sees: their own, the organisation’s and public ones; those who review or administer see all. An
 * agent sees what lies in its scopes: the persona’s own too, and of public ones those that its person has adopted.
 */
export function visibleTo(actor: PersonActor): Prisma.SkillWhereInput {
  const { personaId } = scopeCaller(actor);
  if (personaId === null && actor.role !== "user") return { deletedAt: null };
  const keys = [actor.userId, ORG, ...(personaId === null ? [] : [personaKey(personaId)])];
  const isAdopted = { adoptions: { some: { userId: actor.userId } } };
  return {
    deletedAt: null,
    OR: [
      { ownerKey: { in: keys } },
      { ownerKey: { startsWith: "integration:", endsWith: `:${ORG}` } },
      { ownerKey: { startsWith: "integration:", endsWith: `:${actor.userId}` } },
      { visibility: "public", ...(personaId === null ? {} : isAdopted) },
    ],
  };
}

const withVersions = { current: true, pending: true } satisfies Prisma.SkillInclude;
export type SkillRow = Prisma.SkillGetPayload<{ include: typeof withVersions }>;

/**
 * The skill with this id, or the one that this name means to the caller: see `rankSkills`. `not_found` also when it exists
 * but the caller may not see it; `forbidden`, naming the rule, when it is kept away from the agent that asks.
 */
export async function requireSkill(ctx: Ctx, idOrName: string): Promise<SkillRow> {
  const skill = await findNamedSkill(ctx, idOrName);
  await assertShown(ctx, skill);
  return skill;
}

/** `forbidden`, naming the rule, when the skill is kept away from the agent that asks. */
export async function assertShown(ctx: Ctx, skill: ShownSkill): Promise<void> {
  const away = await whyAgentMayNotSee(ctx, skill);
  if (away !== null) throw new AppError("forbidden", away.reason, { rule: away.rule });
}

/** The same before the lists of a persona are asked; for a verb that applies them itself. */
export async function findNamedSkill(ctx: Ctx, idOrName: string): Promise<SkillRow> {
  const actor = requirePerson(ctx.actor);
  const known = isIdShaped(idOrName) ? await loadSkill(ctx, idOrName.toLowerCase()) : undefined;
  if (known !== undefined && isPlainlyVisible(actor, known)) {
    const [current, pending] = [await loadVersion(ctx, known.currentId), await loadVersion(ctx, known.pendingId)];
    return { ...known, current, pending };
  }
  const visible = visibleTo(actor);
  const rows = await ctx.db.skill.findMany({
    where: { AND: [visible, isIdShaped(idOrName) ? { id: idOrName.toLowerCase() } : nameIs(idOrName)] },
    include: withVersions,
    take: 50,
  });
  const skill = rows.length > 1 ? await firstOf(ctx, actor, rows) : rows[0];
  if (!skill) throw new AppError("not_found", `There is no skill “${idOrName}” that you can see.`);
  return skill;
}

/** Those of `visibleTo` that can be told without another look into the database. */
function isPlainlyVisible(actor: PersonActor, skill: { deletedAt: Date | null; ownerKey: string }): boolean {
  if (skill.deletedAt !== null) return false;
  const { personaId } = scopeCaller(actor);
  if (personaId === null && actor.role !== "user") return true;
  return skill.ownerKey === actor.userId || skill.ownerKey === ORG;
}

async function firstOf(ctx: Ctx, actor: PersonActor, rows: SkillRow[]): Promise<SkillRow | undefined> {
  const adopted = await adoptedAmong(ctx, actor.userId, rows);
  const scoped = rows.map((row) => ({ ...row, isAdopted: adopted.has(row.id) }));
  const first = rankSkills(scoped, scopeCaller(actor))[0];
  return rows.find(({ id }) => id === first?.id);
}

function nameIs(name: string): Prisma.SkillWhereInput {
  return { OR: [{ liveSlug: name.toLowerCase() }, { name }, { toolName: name }] };
}

type ShownSkill = Pick<SkillRow, "name" | "slug" | "toolName" | "listed">;

/** Why an agent is not shown a skill that its person sees: the persona’s lists, or an admin who unlisted it. */
async function whyAgentMayNotSee(ctx: Ctx, skill: ShownSkill): Promise<{ rule: string; reason: string } | null> {
  const actor = requirePerson(ctx.actor);
  const persona = await findPersona(ctx, actor);
  if (persona === null) return null;
  if (persona === "missing") return { rule: "persona-missing", reason: "The persona of this token no longer exists." };
  const away = whyKeptAway(persona, skill);
  if (away) {
    const reason = `The persona “${persona.name}” may not use “${skill.name}”: ${away.reason}.`;
    return { rule: away.rule, reason };
  }
  return skill.listed ? null : { rule: "unlisted", reason: unlisted(skill) };
}

/** What is said of a skill that an admin took off the list. */
export function unlisted(skill: { name: string }): string {
  return `“${skill.name}” was taken off the list by an admin; nobody can use it.`;
}

/** Whether the actor may change a skill: its owner and admins; the organisation's also reviewers. */
export function canManage(actor: PersonActor, skill: { ownerKey: string }): boolean {
  if (ownerIdOf(skill.ownerKey) === actor.userId) return true;
  if (hasScope(actor, "admin")) return true;
  return isShared(skill.ownerKey) && actor.role !== "user";
}

/** The skill, when the caller may change it; `forbidden` names whose it is otherwise. */
export async function requireManagedSkill(ctx: Ctx, idOrName: string): Promise<SkillRow> {
  const actor = requireScope(ctx.actor, "write");
  const skill = await requireSkill(ctx, idOrName);
  if (canManage(actor, skill)) return skill;
  throw new AppError(
    "forbidden",
    `The skill “${skill.name}” belongs to ${whose(skill)}; you can see it but not change it.`,
  );
}

function whose({ ownerKey }: { ownerKey: string }): string {
  if (isShared(ownerKey)) return "the organisation";
  return parseOwnerKey(ownerKey).kind === "persona" ? "a persona" : "somebody else";
}

/** Under whom a new skill is kept. Only reviewers and admins bring in skills for the whole organisation. */
export function requireOwnerKey(actor: PersonActor, owner: "me" | "org"): string {
  if (owner === "me") return actor.userId;
  if (actor.role === "user")
    throw new AppError(
      "forbidden",
      "Only reviewers and admins add skills for the organisation; import it for yourself.",
    );
  return ORG;
}
