import { isPerson } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import type { Prisma } from "@/lib/db/generated/client";
import { query, sqlOf } from "@/lib/db/sql";
import { findPublisher, isOwnedBy, ownedBy } from "@/lib/skills/community/publishers";
import { findVersion } from "./find-version";
import { knownTo, offeredTo } from "./offered-skills";
import { presentPublished } from "./present-published";
import { type Published, type PublishedRow, publishedVersion } from "./published";
import type { BoundScope, DistributionScope } from "./scope";
import { type InScope, listScope, viewerList } from "./viewer-list";

/**
 * Lists the skills of a scope for the viewer (`ctx` of `identifyViewer`), by name: of each skill its active version, or
 * the pinned one. Names are unique: of several skills with one name the first by `rankSkills` stays; the others are in
 * their publisher's scope. Leaves out what clients cannot install, what was changed in storage and, for agents,
 * versions with a script that no reviewer granted. `name` selects one skill. Throws `not_found` for an unknown or hidden
 * scope, `gone` for a withdrawn skill.
 */
export async function listPublished(
  ctx: Ctx,
  scope: DistributionScope,
  { name }: { name?: string } = {},
): Promise<readonly Published[]> {
  const resolved = await resolveScope(ctx, scope);
  if ("only" in resolved) {
    const [published] = await presentPublished(ctx, [resolved.only]);
    if (published === undefined) throw new AppError("not_found", "This skill is not offered to other programs.");
    return name === undefined || name === published.name ? [published] : [];
  }
  return listScope(await viewerList(ctx), resolved, name);
}

/**
 * Lists every approved version of a scope's skills that the viewer is offered, inactive ones and those with a shadowed
 * name included. Same errors as `listPublished`.
 */
export async function listApproved(ctx: Ctx, scope: DistributionScope): Promise<Published[]> {
  const resolved = await resolveScope(ctx, scope);
  if ("only" in resolved) return presentPublished(ctx, [resolved.only]);
  const { isOffered } = await offeredTo(ctx);
  const rows = await ctx.db.skill.findMany({
    where: { AND: [knownTo(ctx.actor), resolved.where], deletedAt: null, listed: true, enabled: true },
    include: {
      versions: {
        where: { state: "approved", tampered: null },
        select: publishedVersion,
        orderBy: { number: "asc" },
      },
    },
    orderBy: { id: "asc" },
  });
  const offered = rows.flatMap(({ versions, ...skill }) =>
    versions.filter((version) => isOffered(skill, version)).map((version) => ({ skill, version })),
  );
  return presentPublished(ctx, offered);
}

type Resolved = (InScope & { where: Prisma.SkillWhereInput }) | { only: PublishedRow };

/**
 * Resolves a scope to a filter, which callers narrow to what the viewer sees, or to one version. Throws `not_found` for
 * an unknown or hidden publisher or collection.
 */
export async function resolveScope(ctx: Ctx, scope: DistributionScope): Promise<Resolved> {
  if (scope.kind === "root") return { key: "root", includes: () => true, where: {} };
  if (scope.kind === "bound") return resolveBound(ctx, scope);
  if (scope.kind === "publisher") return ofPublisher(await findPublisher(ctx, scope.handle));
  if (scope.kind === "collection") return inCollection(ctx, (await sqlOf(ctx).get(BY_SLUG, scope.slug)) ?? null);
  return { only: await findVersion(ctx, scope) };
}

async function resolveBound(ctx: Ctx, { to, id }: BoundScope): Promise<Resolved> {
  if (to === "collection") return inCollection(ctx, (await sqlOf(ctx).get(BY_ID, id)) ?? null);
  if (to === "skill") return onlySkills([id]);
  return ofPublisher((await sqlOf(ctx).get(PUBLISHER, id)) ?? null);
}

type FoundPublisher = { userId: string | null };
type FoundCollection = { id: string; ownerId: string; visibility: string };

const PUBLISHER = query<FoundPublisher>(`SELECT "userId" FROM "Publisher" WHERE "id" = ?`);
const BY_SLUG = query<FoundCollection>(`SELECT "id", "ownerId", "visibility" FROM "Collection" WHERE "slug" = ?`);
const BY_ID = query<FoundCollection>(`SELECT "id", "ownerId", "visibility" FROM "Collection" WHERE "id" = ?`);
const MEMBERS = query<{ skillId: string }>(
  `SELECT "skillId" FROM "CollectionSkill" WHERE "collectionId" = ? ORDER BY "skillId"`,
);

function ofPublisher(publisher: FoundPublisher | null): Resolved {
  if (publisher === null) throw noIndex();
  const includes = (skill: { ownerKey: string; ownerId: string | null }) => isOwnedBy(publisher, skill);
  return { key: `publisher ${publisher.userId}`, includes, where: ownedBy(publisher) };
}

async function inCollection(ctx: Ctx, found: FoundCollection | null): Promise<Resolved> {
  const isMine = isPerson(ctx.actor) && found?.ownerId === ctx.actor.userId;
  if (found === null || (found.visibility !== "public" && !isMine)) throw noIndex();
  return onlySkills((await sqlOf(ctx).all(MEMBERS, found.id)).map(({ skillId }) => skillId));
}

function onlySkills(ids: string[]): Resolved {
  const among = new Set(ids);
  return { key: `skills ${ids.join(" ")}`, includes: ({ id }) => among.has(id), where: { id: { in: ids } } };
}

function noIndex(): AppError {
  return new AppError("not_found", "There is no index at this address.");
}
