import { recordEvent } from "@/lib/audit/record-event";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { requireScope } from "@/lib/policy/require-scope";
import { queueSync } from "../sync/queue-sync";
import { wakeSyncs } from "../sync/wake-syncs";
import { requireSource } from "./require-source";
import type { SyncAnswer } from "./schema";

/** Queues a sync now, also of a source that is off. One that is queued or under way already answers its own job. */
export async function syncSource(ctx: Ctx, id: string): Promise<SyncAnswer> {
  requireScope(ctx.actor, "admin");
  const jobId = await inTransaction(ctx, async (tx, txCtx) => {
    const row = await requireSource(txCtx, id);
    const job = await queueSync(tx, row, ctx.now());
    if (job !== row.jobId) {
      await recordEvent(tx, txCtx, {
        action: "catalog_source.sync",
        summary: `asked for a sync of the catalog source ${row.label}`,
        target: { kind: "catalog_source", id, name: row.label },
        data: { jobId: job },
      });
    }
    return job;
  });
  wakeSyncs();
  return { jobId };
}
