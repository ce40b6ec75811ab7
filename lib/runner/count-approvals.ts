import type { Ctx } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";

/** How many runs wait for somebody's approval. */
export async function countApprovals(ctx: Ctx): Promise<number> {
  requireScope(ctx.actor, "read");
  return ctx.db.run.count({ where: { state: "awaiting_approval" } });
}
