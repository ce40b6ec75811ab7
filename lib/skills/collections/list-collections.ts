import { z } from "zod";
import type { Page } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import { hasScope, requireScope } from "@/lib/policy/require-scope";
import { collectionsSeenBy } from "./find-collection";
import { presentCollections } from "./present-collections";
import { CollectionSummary, type ListCollectionsQuery } from "./schema";

/** Collections that the caller sees, by address. */
export async function listCollections(ctx: Ctx, query: ListCollectionsQuery): Promise<Page<CollectionSummary>> {
  const actor = requireScope(ctx.actor, "read");
  const after = query.cursor === undefined ? "" : decodeCursor(z.string(), query.cursor);
  const mine = query.mine === true && !hasScope(actor, "admin") ? { ownerId: actor.userId } : {};
  const having = query.skill === undefined ? {} : { skills: { some: { skillId: query.skill } } };
  const rows = await ctx.db.collection.findMany({
    where: { AND: [collectionsSeenBy(actor), mine, having, { slug: { gt: after } }] },
    orderBy: { slug: "asc" },
    take: query.limit + 1,
    include: { skills: { orderBy: [{ position: "asc" }, { skillId: "asc" }] } },
  });
  const page = toPage(rows, query.limit, ({ slug }) => slug);
  const items = await presentCollections(ctx, page.items);
  return { items: items.map((item) => CollectionSummary.parse(item)), nextCursor: page.nextCursor };
}
