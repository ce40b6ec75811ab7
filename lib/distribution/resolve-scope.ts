import { isPerson } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import type { Prisma } from "@/lib/db/generated/client";
import { findPublisher, ownedBy } from "@/lib/skills/community/publishers";
import { findVersion } from "./find-version";
import type { PublishedRow } from "./published";
import type { BoundScope, DistributionScope } from "./scope";

type Resolved = { where: Prisma.SkillWhereInput } | { only: PublishedRow };

/**
 * Resolves a scope to a filter, which callers narrow to what the viewer sees, or to one version. Throws `not_found` for
 * an unknown or hidden publisher or collection.
 */
export async function resolveScope(ctx: Ctx, scope: DistributionScope): Promise<Resolved> {
  if (scope.kind === "root") return { where: {} };
  if (scope.kind === "bound") return resolveBound(ctx, scope);
  if (scope.kind === "publisher") {
    const publisher = await findPublisher(ctx, scope.handle);
    if (publisher === null) throw noIndex();
    return { where: ownedBy(publisher) };
  }
  if (scope.kind === "collection") return { where: await inCollection(ctx, { slug: scope.slug }) };
  return { only: await findVersion(ctx, scope) };
}

async function resolveBound(ctx: Ctx, { to, id }: BoundScope): Promise<Resolved> {
  if (to === "collection") return { where: await inCollection(ctx, { id }) };
  if (to === "skill") return { where: { id } };
  const publisher = await ctx.db.publisher.findUnique({ where: { id } });
  if (publisher === null) throw noIndex();
  return { where: ownedBy(publisher) };
}

async function inCollection(ctx: Ctx, which: { slug: string } | { id: string }): Promise<Prisma.SkillWhereInput> {
  const found = await ctx.db.collection.findFirst({
    where: which,
    include: { skills: { select: { skillId: true } } },
  });
  const isMine = isPerson(ctx.actor) && found?.ownerId === ctx.actor.userId;
  if (found === null || (found.visibility !== "public" && !isMine)) throw noIndex();
  return { id: { in: found.skills.map(({ skillId }) => skillId) } };
}

function noIndex(): AppError {
  return new AppError("not_found", "There is no index at this address.");
}
