import type { PersonActor } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import { isIdShaped } from "@/lib/core/ids";
import type { Ctx } from "@/lib/db/context";
import type { Prisma } from "@/lib/db/generated/client";
import { hasScope, requirePerson, requireScope } from "@/lib/policy/require-scope";

/** Owner key of skills that belong to the organisation. */
export const ORG = "org";

/** Which skills a person sees: their own and the organisation's; those who review or administer see all. */
export function visibleTo(actor: PersonActor): Prisma.SkillWhereInput {
  if (actor.role !== "user") return { deletedAt: null };
  return { deletedAt: null, ownerKey: { in: [actor.userId, ORG] } };
}

const withVersions = { current: true, pending: true } satisfies Prisma.SkillInclude;
export type SkillRow = Prisma.SkillGetPayload<{ include: typeof withVersions }>;

/**
 * The skill with this id, or the one of this name: the caller's own before the organisation's before anybody else's.
 * `not_found` also when it exists but the caller may not see it.
 */
export async function requireSkill(ctx: Ctx, idOrName: string): Promise<SkillRow> {
  const actor = requirePerson(ctx.actor);
  const visible = visibleTo(actor);
  const rows = await ctx.db.skill.findMany({
    where: { AND: [visible, isIdShaped(idOrName) ? { id: idOrName.toLowerCase() } : nameIs(idOrName)] },
    include: withVersions,
    take: 50,
  });
  const rank = (row: SkillRow) => (row.ownerKey === actor.userId ? 0 : row.ownerKey === ORG ? 1 : 2);
  const skill = rows.sort((a, b) => rank(a) - rank(b) || (a.id < b.id ? -1 : 1))[0];
  if (!skill) throw new AppError("not_found", `There is no skill “${idOrName}” that you can see.`);
  return skill;
}

function nameIs(name: string): Prisma.SkillWhereInput {
  return { OR: [{ liveSlug: name.toLowerCase() }, { name }, { toolName: name }] };
}

/** Whether the actor may change a skill: its owner and admins; the organisation's also reviewers. */
export function canManage(actor: PersonActor, skill: { ownerKey: string }): boolean {
  if (skill.ownerKey === actor.userId) return true;
  if (hasScope(actor, "admin")) return true;
  return skill.ownerKey === ORG && actor.role !== "user";
}

/** The skill, when the caller may change it; `forbidden` names whose it is otherwise. */
export async function requireManagedSkill(ctx: Ctx, idOrName: string): Promise<SkillRow> {
  const actor = requireScope(ctx.actor, "write");
  const skill = await requireSkill(ctx, idOrName);
  if (canManage(actor, skill)) return skill;
  const whose = skill.ownerKey === ORG ? "the organisation" : "somebody else";
  throw new AppError("forbidden", `The skill “${skill.name}” belongs to ${whose}; you can see it but not change it.`);
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
