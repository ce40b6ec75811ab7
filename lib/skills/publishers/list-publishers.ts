import { z } from "zod";
import type { Page } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import { ORG } from "@/lib/policy/owner-key";
import { requireScope } from "@/lib/policy/require-scope";
import { visibleTo } from "../skill-access";
import { presentPublisher } from "./present-publisher";
import { publishersOf } from "./publisher-of";
import type { ListPublishersQuery, Publisher } from "./schema";

/** Publishers of whom the caller sees a skill, and the organisation, by handle. */
export async function listPublishers(ctx: Ctx, query: ListPublishersQuery): Promise<Page<Publisher>> {
  const actor = requireScope(ctx.actor, "read");
  const after = query.cursor === undefined ? "" : decodeCursor(z.string(), query.cursor);
  const owners = await ctx.db.skill.findMany({
    where: visibleTo(actor),
    select: { ownerKey: true },
    distinct: ["ownerKey"],
  });
  const ids = [...(await publishersOf(ctx, [{ ownerKey: ORG }, ...owners])).values()].map(({ id }) => id);
  const rows = await ctx.db.publisher.findMany({
    where: { id: { in: ids }, handle: { gt: after } },
    orderBy: { handle: "asc" },
    take: query.limit + 1,
  });
  const page = toPage(rows, query.limit, ({ handle }) => handle);
  const items = await Promise.all(page.items.map((row) => presentPublisher(ctx, actor, row)));
  return { items, nextCursor: page.nextCursor };
}
