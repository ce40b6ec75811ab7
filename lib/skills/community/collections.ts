import { z } from "zod";
import { type Actor, isPerson } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import type { Page } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import type { Prisma } from "@/lib/db/generated/client";
import { hasScope, requireScope, seesAll } from "@/lib/policy/require-scope";
import { listedTo, personaFilter } from "../access/list-filters";
import { publisherRef, publishersOf } from "./publishers";
import { type Collection, CollectionItem, CollectionSummary, type ListCollectionsQuery } from "./schema";

const withSkills = {
  skills: { orderBy: [{ position: "asc" }, { skillId: "asc" }] },
} satisfies Prisma.CollectionInclude;
export type CollectionRow = Prisma.CollectionGetPayload<{ include: typeof withSkills }>;

/** A collection by slug with its ordered skill ids, also for anonymous callers; null when it is not visible. */
export async function findCollection(ctx: Ctx, slug: string): Promise<CollectionRow | null> {
  return ctx.db.collection.findFirst({
    where: { AND: [{ slug: slug.toLowerCase() }, collectionsSeenBy(ctx.actor)] },
    include: withSkills,
  });
}

function collectionsSeenBy(actor: Actor): Prisma.CollectionWhereInput {
  if (seesAll(actor)) return {};
  return { OR: [{ visibility: "public" }, ...(isPerson(actor) ? [{ ownerId: actor.userId }] : [])] };
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
  const owners = await ctx.db.user.findMany({
    where: { id: { in: rows.map(({ ownerId }) => ownerId) } },
    select: { id: true, name: true },
  });
  const names = new Map(owners.map(({ id, name }) => [id, name]));
  return rows.map((row) => {
    const skills = row.skills.flatMap(({ skillId }) => items.get(skillId) ?? []);
    return {
      id: row.id,
      slug: row.slug,
      title: row.title,
      description: row.description,
      visibility: row.visibility === "public" ? "public" : "private",
      owner: { id: row.ownerId, name: names.get(row.ownerId) ?? "" },
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
  const found = await ctx.db.skill.findMany({
    where: { AND: [listedTo(ctx.actor), { id: { in: [...new Set(ids)] } }] },
    include: { current: true, pending: true },
  });
  const rows = found.filter(await personaFilter(ctx, ctx.actor));
  const publishers = await publishersOf(ctx, rows);
  return new Map(
    rows.flatMap((row): [string, CollectionItem][] => {
      const publisher = publishers.get(row.ownerKey);
      if (publisher === undefined) return [];
      const more = { digest: row.current?.digest ?? null, deprecated: row.deprecatedAt !== null };
      return [[row.id, CollectionItem.parse({ ...row, ...more, publisher: publisherRef(publisher) })]];
    }),
  );
}

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
  const mine = query.mine === true && !hasScope(actor, "admin") ? { ownerId: actor.userId } : {};
  const having = query.skill === undefined ? {} : { skills: { some: { skillId: query.skill } } };
  const rows = await ctx.db.collection.findMany({
    where: { AND: [collectionsSeenBy(actor), mine, having, { slug: { gt: after } }] },
    orderBy: { slug: "asc" },
    take: query.limit + 1,
    include: withSkills,
  });
  const page = toPage(rows, query.limit, ({ slug }) => slug);
  const items = await presentCollections(ctx, page.items);
  return { items: items.map((item) => CollectionSummary.parse(item)), nextCursor: page.nextCursor };
}
