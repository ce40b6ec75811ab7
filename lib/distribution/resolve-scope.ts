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
 * Which skills a scope covers, still to be cut down to what the viewer sees; of a skill’s own scope the one version. A
 * publisher or a collection that the viewer may not know of is `not_found`, like one that is not there.
 */
export async function resolveScope(ctx: Ctx, scope: DistributionScope): Promise<Resolved> {
  if (scope.kind === "root") return { where: {} };
  if (scope.kind === "bound") return resolveBound(ctx, scope);
  if (scope.kind === "publisher") {
    const publisher = await findPublisher(ctx, scope.handle);
    if (publisher === null) throw nothing();
    return { where: ownedBy(publisher) };
  }
  if (scope.kind === "collection") return { where: await inCollection(ctx, { slug: scope.slug }) };
  return { only: await findVersion(ctx, scope) };
}

async function resolveBound(ctx: Ctx, { to, id }: BoundScope): Promise<Resolved> {
  if (to === "collection") return { where: await inCollection(ctx, { id }) };
  if (to === "skill") return { where: { id } };
  const publisher = await ctx.db.publisher.findUnique({ where: { id } });
  if (publisher === null) throw nothing();
  return { where: ownedBy(publisher) };
}

async function inCollection(ctx: Ctx, which: { slug: string } | { id: string }): Promise<Prisma.SkillWhereInput> {
  const found = await ctx.db.collection.findFirst({
    where: which,
    include: { skills: { select: { skillId: true } } },
  });
  const isMine = isPerson(ctx.actor) && found?.ownerId === ctx.actor.userId;
  if (found === null || (found.visibility !== "public" && !isMine)) throw nothing();
  return { id: { in: found.skills.map(({ skillId }) => skillId) } };
}

function nothing(): AppError {
  return new AppError("not_found", "There is no index at this address.");
}
