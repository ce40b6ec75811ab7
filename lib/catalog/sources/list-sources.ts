import { z } from "zod";
import type { Page, PageQuery } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import { requireScope } from "@/lib/policy/require-scope";
import { presentSources } from "./present-source";
import type { CatalogSource } from "./schema";

const MAX_SKIPPED_SHOWN = 500;

/** All sources by label, each with the first 500 folders that its sync skipped; `getSource` has all. */
export async function listSources(ctx: Ctx, { limit, cursor }: PageQuery): Promise<Page<CatalogSource>> {
  requireScope(ctx.actor, "admin");
  const after = cursor === undefined ? null : decodeCursor(z.object({ label: z.string(), id: z.string() }), cursor);
  const rows = await ctx.db.catalogSource.findMany({
    where: after ? { OR: [{ label: { gt: after.label } }, { label: after.label, id: { gt: after.id } }] } : {},
    orderBy: [{ label: "asc" }, { id: "asc" }],
    take: limit + 1,
  });
  const { items, nextCursor } = toPage(rows, limit, ({ label, id }) => ({ label, id }));
  const sources = await presentSources(ctx, items);
  return {
    items: sources.map((source) => ({ ...source, skipped: source.skipped.slice(0, MAX_SKIPPED_SHOWN) })),
    nextCursor,
  };
}
