import type { Ctx } from "@/lib/db/context";
import type { PublisherRow } from "./publisher-of";

/**
 * The publisher with this handle, or the one that had it until less than 30 days ago: then its `handle` is another one, and
 * the address leads there. Says nothing about who may see it; null when there is none.
 */
export async function findPublisher(ctx: Ctx, handle: string): Promise<PublisherRow | null> {
  const wanted = handle.toLowerCase();
  const found = await ctx.db.publisher.findUnique({ where: { handle: wanted } });
  if (found !== null) return found;
  const former = await ctx.db.formerHandle.findUnique({ where: { handle: wanted } });
  if (former === null || former.until <= ctx.now()) return null;
  return ctx.db.publisher.findUnique({ where: { id: former.publisherId } });
}
