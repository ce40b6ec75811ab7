import { recordEvent } from "@/lib/audit/record-event";
import { getEnv } from "@/lib/core/env";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { instanceOf } from "./instance";

/** Checks every page, index and reference in a separate process. Throws with the damage, and records it. */
export async function checkDatabase(ctx: Ctx): Promise<string> {
  const { database } = instanceOf(getEnv());
  const problems = await database.checkInUse();
  if (problems.length === 0) return "every page of the database is intact";
  const damage = problems.slice(0, 3).join("; ");
  await inTransaction(ctx, (tx, txCtx) =>
    recordEvent(tx, txCtx, {
      action: "database.damage",
      outcome: "failed",
      summary: `found the database damaged: ${damage}`,
      data: { problems },
    }),
  );
  throw new Error(`The database is damaged: ${damage}. Restore a backup.`);
}
