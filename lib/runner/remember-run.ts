import type { Ctx } from "@/lib/db/context";
import { query } from "@/lib/db/sql";

const REMEMBER = query(
  `UPDATE "IdempotentAnswer" SET "runId" = ? WHERE "actorKey" = ? AND "key" = ? AND "runId" IS NULL`,
);

/**
 * Keeps which run a request with an `Idempotency-Key` made, in the run's own transaction: should the process die before
 * it answers, the repetition finds the run instead of making another one. Of several, the first.
 */
export async function rememberRun(ctx: Ctx, runId: string): Promise<void> {
  const { onceKey } = ctx.request;
  if (onceKey) await ctx.database.writeSql.run(REMEMBER, runId, onceKey.actorKey, onceKey.key);
}
