import type { Ctx } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import { getSettings } from "@/lib/settings/settings";
import { findWaiting } from "./find-waiting";

const MOST = 100;

/** How many versions wait for the caller, counted up to 100. */
export async function countReviews(ctx: Ctx): Promise<number> {
  const actor = requireScope(ctx.actor, "read");
  const waiting = await findWaiting(ctx, actor, await getSettings(ctx), { limit: MOST });
  return Math.min(MOST, waiting.length);
}
