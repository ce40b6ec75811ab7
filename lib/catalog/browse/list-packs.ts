import { z } from "zod";
import type { Page, PageQuery } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import { type CatalogPack as PackRow, Prisma } from "@/lib/db/generated/client";
import { listOf, readComposed } from "@/lib/db/sql";
import { CatalogPack } from "../schema";
import { copiesOf } from "./present-items";
import { type VisibleCatalog, visibleCatalog } from "./visible-catalog";

const Position = z.tuple([z.string(), z.string()]);

/** Lists the packs of enabled sources by name, with their entries. */
export async function listPacks(ctx: Ctx, query: PageQuery): Promise<Page<CatalogPack>> {
  const after = query.cursor === undefined ? null : decodeCursor(Position, query.cursor);
  const shown = await visibleCatalog(ctx);
  const later = after
    ? Prisma.sql`AND ("name" > ${after[0]} OR ("name" = ${after[0]} AND "id" > ${after[1]}))`
    : Prisma.empty;
  const sourceIds = shown.sources.map(({ id }) => id);
  const rows = await readComposed<PackRow>(
    ctx,
    Prisma.sql`SELECT * FROM "CatalogPack" WHERE "sourceId" IN ${listOf(ctx, sourceIds)} ${later}
      ORDER BY "name", "id" LIMIT ${query.limit + 1}`,
    { updatedAt: "date" },
  );
  const page = toPage(rows, query.limit, (row) => [row.name, row.id]);
  const ids = [...new Set(page.items.flatMap((row) => membersOf(shown, row)))];
  const entries = await readComposed<{ id: string; name: string; folder: string }>(
    ctx,
    Prisma.sql`SELECT "id", "name", "folder" FROM "CatalogEntry" WHERE "id" IN ${listOf(ctx, ids)}`,
  );
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const items = page.items.map((row) =>
    CatalogPack.parse({
      ...row,
      sourceLabel: shown.sources.find(({ id }) => id === row.sourceId)?.label ?? "",
      members: membersOf(shown, row).flatMap((id) => {
        const entry = byId.get(id);
        return entry ? [{ ...entry, installed: isInstalled(shown, id) }] : [];
      }),
    }),
  );
  return { items, nextCursor: page.nextCursor };
}

/** Ids of a pack's entries that still exist, in the order of the pack. */
function membersOf({ snapshot }: VisibleCatalog, pack: Pick<PackRow, "id" | "members">): string[] {
  const entries = (snapshot.packs.get(pack.id) ?? []).flatMap((at) => snapshot.entries[at] ?? []);
  return entries.filter((entry) => !entry.isRemoved).map((entry) => entry.id);
}

function isInstalled(shown: VisibleCatalog, id: string): boolean {
  const at = shown.snapshot.byId.get(id);
  const copies = at === undefined ? [] : copiesOf(shown, at);
  return copies.some((copy) => shown.installed.has(shown.snapshot.entries[copy]?.id ?? ""));
}
