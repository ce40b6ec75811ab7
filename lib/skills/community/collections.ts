import { z } from "zod";
import { type Actor, isPerson } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import type { Page } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import { Prisma } from "@/lib/db/generated/client";
import { listOf, readComposed } from "@/lib/db/sql";
import { hasScope, requireScope, seesAll } from "@/lib/policy/require-scope";
import { type FilteredRow, personaFilter } from "../access/list-filters";
import { listedSql } from "../access/visible-skills";
import { publisherRef, publishersOf } from "./publishers";
import { type Collection, CollectionItem, CollectionSummary, type ListCollectionsQuery } from "./schema";

type Member = { skillId: string };
/** `skills` in the order of the collection. */
export type CollectionRow = Prisma.CollectionGetPayload<object> & { ownerName: string | null; skills: Member[] };

/** A collection by slug with its ordered skill ids, also for anonymous callers; null when it is not visible. */
export async function findCollection(ctx: Ctx, slug: string): Promise<CollectionRow | null> {
  const [found] = await readCollections(
    ctx,
    [Prisma.sql`c."slug" = ${slug.toLowerCase()}`, collectionsSeenBy(ctx.actor)],
    1,
  );
  return found ?? null;
}

/** Collections that match all conditions on the alias `c`, by slug. */
async function readCollections(ctx: Ctx, where: Prisma.Sql[], take: number): Promise<CollectionRow[]> {
  const rows = await readComposed<Omit<CollectionRow, "skills">>(
    ctx,
    Prisma.sql`SELECT c.*, u."name" AS "ownerName" FROM "Collection" c LEFT JOIN "User" u ON u."id" = c."ownerId"
      WHERE ${Prisma.join(where, " AND ")} ORDER BY c."slug" LIMIT ${take}`,
    { createdAt: "date", updatedAt: "date" },
  );
  const members = await readComposed<Member & { collectionId: string }>(
    ctx,
    Prisma.sql`SELECT "collectionId", "skillId" FROM "CollectionSkill"
      WHERE "collectionId" IN ${listOf(
        ctx,
        rows.map(({ id }) => id),
      )} ORDER BY "position", "skillId"`,
  );
  const skills = new Map(rows.map(({ id }): [string, Member[]] => [id, []]));
  for (const { collectionId, skillId } of members) skills.get(collectionId)?.push({ skillId });
  return rows.map((row) => ({ ...row, skills: skills.get(row.id) ?? [] }));
}

function collectionsSeenBy(actor: Actor): Prisma.Sql {
  if (seesAll(actor)) return Prisma.sql`1 = 1`;
  if (!isPerson(actor)) return Prisma.sql`c."visibility" = 'public'`;
  return Prisma.sql`(c."visibility" = 'public' OR c."ownerId" = ${actor.userId})`;
}

async function requireCollection(ctx: Ctx, slug: string): Promise<CollectionRow> {
  const row = await findCollection(ctx, slug);
  if (row === null) throw new AppError("not_found", `There is no collection “${slug.slice(0, 64)}” that you can see.`);
  return row;
}

/** A collection that the caller may change: its owner and admins. */
export async function requireManagedCollection(ctx: Ctx, slug: string): Promise<CollectionRow> {
  const row = await requireCollection(ctx, slug);
  if (!managesCollection(ctx.actor, row))
    throw new AppError(
      "forbidden",
      `The collection “${row.title}” belongs to another person; you can see it but not change it.`,
    );
  return row;
}

function managesCollection(actor: Actor, row: { ownerId: string }): boolean {
  return hasScope(actor, "admin") || (isPerson(actor) && actor.userId === row.ownerId && hasScope(actor, "write"));
}

/** Formats collections for the API, without the skills that the caller cannot see. */
async function presentCollections(ctx: Ctx, rows: CollectionRow[]): Promise<Collection[]> {
  const items = await visibleItems(
    ctx,
    rows.flatMap(({ skills }) => skills.map(({ skillId }) => skillId)),
  );
  return rows.map((row) => {
    const skills = row.skills.flatMap(({ skillId }) => items.get(skillId) ?? []);
    return {
      id: row.id,
      slug: row.slug,
      title: row.title,
      description: row.description,
      visibility: row.visibility === "public" ? "public" : "private",
      owner: { id: row.ownerId, name: row.ownerName ?? "" },
      count: skills.length,
      editable: managesCollection(ctx.actor, row),
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
      skills,
    };
  });
}

async function visibleItems(ctx: Ctx, ids: string[]): Promise<Map<string, CollectionItem>> {
  if (ids.length === 0 || !isPerson(ctx.actor)) return new Map();
  const found = await readComposed<StoredItem>(
    ctx,
    Prisma.sql`SELECT s."id", s."name", s."slug", s."toolName", s."label", s."description", s."class", s."enabled",
        s."currentId", s."ownerKey", s."sourceId", s."deprecatedAt", c."digest", c."provenance" AS "ofCurrent",
        p."provenance" AS "ofPending"
      FROM "Skill" s LEFT JOIN "Version" c ON c."id" = s."currentId" LEFT JOIN "Version" p ON p."id" = s."pendingId"
      WHERE ${listedSql(ctx.actor)} AND s."id" IN ${listOf(ctx, [...new Set(ids)])}`,
    { enabled: "flag", deprecatedAt: "date" },
  );
  const isShown = await personaFilter(ctx, ctx.actor);
  const provenanceOf = (provenance: string | null) => (provenance === null ? null : { provenance });
  const rows = found.filter(({ ofCurrent, ofPending, ...row }) =>
    isShown({ ...row, current: provenanceOf(ofCurrent), pending: provenanceOf(ofPending) }),
  );
  const publishers = await publishersOf(ctx, rows);
  return new Map(
    rows.flatMap((row): [string, CollectionItem][] => {
      const publisher = publishers.get(row.ownerKey);
      if (publisher === undefined) return [];
      const deprecated = row.deprecatedAt !== null;
      return [[row.id, CollectionItem.parse({ ...row, deprecated, publisher: publisherRef(publisher) })]];
    }),
  );
}

type StoredItem = Omit<FilteredRow, "current" | "pending"> & {
  label: string | null;
  description: string;
  enabled: boolean;
  digest: string | null;
  deprecatedAt: Date | null;
  ofCurrent: string | null;
  ofPending: string | null;
};

/** One collection with its ordered skills; `not_found` also for a private one of another person. */
export async function getCollection(ctx: Ctx, slug: string): Promise<Collection> {
  requireScope(ctx.actor, "read");
  const [collection] = await presentCollections(ctx, [await requireCollection(ctx, slug)]);
  if (!collection) throw new Error("presenting one row gave none");
  return collection;
}

/** Collections that the caller sees, by slug. */
export async function listCollections(ctx: Ctx, query: ListCollectionsQuery): Promise<Page<CollectionSummary>> {
  const actor = requireScope(ctx.actor, "read");
  const after = query.cursor === undefined ? "" : decodeCursor(z.string(), query.cursor);
  const where = [collectionsSeenBy(actor), Prisma.sql`c."slug" > ${after}`];
  if (query.mine === true && !hasScope(actor, "admin")) where.push(Prisma.sql`c."ownerId" = ${actor.userId}`);
  if (query.skill !== undefined)
    where.push(Prisma.sql`c."id" IN (SELECT "collectionId" FROM "CollectionSkill" WHERE "skillId" = ${query.skill})`);
  const rows = await readCollections(ctx, where, query.limit + 1);
  const page = toPage(rows, query.limit, ({ slug }) => slug);
  const items = await presentCollections(ctx, page.items);
  return { items: items.map((item) => CollectionSummary.parse(item)), nextCursor: page.nextCursor };
}
