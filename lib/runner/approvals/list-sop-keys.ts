import { z } from "zod";
import type { Page, PageQuery } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import type { SopKey as SopKeyRow } from "@/lib/db/generated/client";
import { requireScope } from "@/lib/policy/require-scope";
import type { SopKey } from "@/lib/runner/schema";
import { readSopKey } from "./verify-sop";

/** The keys that procedures may be signed with, newest first. */
export async function listSopKeys(ctx: Ctx, query: PageQuery): Promise<Page<SopKey>> {
  requireScope(ctx.actor, "admin");
  const before = query.cursor === undefined ? {} : { id: { lt: decodeCursor(z.string(), query.cursor) } };
  const rows = await ctx.db.sopKey.findMany({
    where: { revokedAt: null, ...before },
    orderBy: { id: "desc" },
    take: query.limit + 1,
  });
  const page = toPage(rows, query.limit, (row) => row.id);
  return { items: page.items.map(presentSopKey), nextCursor: page.nextCursor };
}

export function presentSopKey(row: SopKeyRow): SopKey {
  return {
    id: row.id,
    name: row.name,
    fingerprint: row.fingerprint,
    bits: readSopKey(row.publicKey).bits,
    createdAt: row.createdAt.toISOString(),
    createdBy: row.createdBy,
  };
}
