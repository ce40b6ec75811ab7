import { z } from "zod";
import type { Page } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import { requireScope } from "@/lib/policy/require-scope";
import { describeCapabilityUrls } from "./describe-capability-urls";
import type { CapabilityUrl, ListCapabilityUrlsQuery } from "./schema";

/** The caller’s capability URLs that are not revoked, newest first; expired ones too, marked so. */
export async function listCapabilityUrls(ctx: Ctx, query: ListCapabilityUrlsQuery): Promise<Page<CapabilityUrl>> {
  const { userId } = requireScope(ctx.actor, "read");
  const rows = await ctx.db.capabilityUrl.findMany({
    where: {
      ...{ userId, revokedAt: null },
      ...(query.cursor === undefined ? {} : { id: { lt: decodeCursor(z.string(), query.cursor) } }),
    },
    orderBy: { id: "desc" },
    take: query.limit + 1,
  });
  const page = toPage(rows, query.limit, (row) => row.id);
  return { items: await describeCapabilityUrls(ctx, page.items), nextCursor: page.nextCursor };
}
