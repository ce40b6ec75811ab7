import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { requireScope } from "@/lib/policy/require-scope";
import type { BulkUpdateAnswer, BulkUpdateInput } from "./schema";
import { takeUpdate } from "./take-update";

/** Takes several updates, each for itself: one that fails is reported and does not hold up the others. */
export async function takeUpdates(ctx: Ctx, { skillIds }: BulkUpdateInput): Promise<BulkUpdateAnswer> {
  requireScope(ctx.actor, "write");
  const answer: BulkUpdateAnswer = { updated: [], failed: [] };
  for (const skillId of new Set(skillIds)) {
    try {
      answer.updated.push({ skillId, digest: (await takeUpdate(ctx, skillId)).digest });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      answer.failed.push({ skillId, code: error.code, message: error.message });
    }
  }
  return answer;
}
