import { type Actor, isPerson } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import type { Prisma } from "@/lib/db/generated/client";
import { hasScope, seesAll } from "@/lib/policy/require-scope";

const withSkills = {
  skills: { orderBy: [{ position: "asc" }, { skillId: "asc" }] },
} satisfies Prisma.CollectionInclude;
export type CollectionRow = Prisma.CollectionGetPayload<{ include: typeof withSkills }>;

/**
 * A collection with the ids of its skills in order, by slug; null when there is none that the caller, who may be nobody,
 * sees. Which of the skills the caller sees is another question.
 */
export async function findCollection(ctx: Ctx, slug: string): Promise<CollectionRow | null> {
  return ctx.db.collection.findFirst({
    where: { AND: [{ slug: slug.toLowerCase() }, collectionsSeenBy(ctx.actor)] },
    include: withSkills,
  });
}

/** Public ones; their own; all for those who review or administer. */
export function collectionsSeenBy(actor: Actor): Prisma.CollectionWhereInput {
  if (seesAll(actor)) return {};
  return { OR: [{ visibility: "public" }, ...(isPerson(actor) ? [{ ownerId: actor.userId }] : [])] };
}

export async function requireCollection(ctx: Ctx, slug: string): Promise<CollectionRow> {
  const row = await findCollection(ctx, slug);
  if (row === null) throw new AppError("not_found", `There is no collection “${slug.slice(0, 64)}” that you can see.`);
  return row;
}

/** The collection, when the caller may change it: its owner and admins. */
export async function requireManagedCollection(ctx: Ctx, slug: string): Promise<CollectionRow> {
  const row = await requireCollection(ctx, slug);
  if (!managesCollection(ctx.actor, row))
    throw new AppError(
      "forbidden",
      `The collection “${row.title}” belongs to somebody else; you can see it but not change it.`,
    );
  return row;
}

export function managesCollection(actor: Actor, row: { ownerId: string }): boolean {
  return hasScope(actor, "admin") || (isPerson(actor) && actor.userId === row.ownerId && hasScope(actor, "write"));
}
