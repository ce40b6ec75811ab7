import type { Page, PageQuery } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { toPage } from "@/lib/db/cursor";
import { requireScope } from "@/lib/policy/require-scope";
import { getSettings } from "@/lib/settings/get-settings";
import { findWaiting } from "./find-waiting";
import { presentReviews } from "./present-reviews";
import type { ReviewItem } from "./schema";

/** Versions that wait for the caller: for a decision, for more signatures, or for a look at new findings. Oldest first. */
export async function listReviews(ctx: Ctx, query: PageQuery): Promise<Page<ReviewItem>> {
  const actor = requireScope(ctx.actor, "read");
  const policy = await getSettings(ctx);
  const page = toPage(await findWaiting(ctx, actor, policy, query), query.limit, ({ row }) => row.id);
  return { items: await presentReviews(ctx, page.items, policy), nextCursor: page.nextCursor };
}
