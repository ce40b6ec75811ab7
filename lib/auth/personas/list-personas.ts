import { z } from "zod";
import type { Persona } from "@/lib/auth/schema";
import type { Page, PageQuery } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import { requireScope } from "@/lib/policy/require-scope";
import { describePersona } from "./describe-persona";

/** All personas by name. */
export async function listPersonas(ctx: Ctx, query: PageQuery): Promise<Page<Persona>> {
  requireScope(ctx.actor, "admin");
  const rows = await ctx.db.persona.findMany({
    where: query.cursor === undefined ? {} : { name: { gt: decodeCursor(z.string(), query.cursor) } },
    orderBy: { name: "asc" },
    take: query.limit + 1,
  });
  const page = toPage(rows, query.limit, (row) => row.name);
  return { items: page.items.map(describePersona), nextCursor: page.nextCursor };
}
