import { recordEvent } from "@/lib/audit/record-event";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import type { Usage } from "../github/create-client";
import type { SyncFailure } from "../sync-failure";
import { RepositoryChanged } from "./resolve-commit";
import type { Job } from "./store-snapshot";
import { retryAfterFailures, usageColumns } from "./sync-columns";

/**
 * Says on the source why its sync failed and when the next try is; what it shows stays. An event is written when the
 * reason is another one than before, not for each try.
 */
export async function recordFailure(ctx: Ctx, job: Job, failure: SyncFailure, usage: Usage): Promise<void> {
  await inTransaction(ctx, async (tx, txCtx) => {
    const source = await tx.catalogSource.findUnique({ where: { id: job.sourceId } });
    if (source === null || source.jobId !== job.jobId || source.state !== "running") return;
    const failures = source.failures + 1;
    const pending = failure instanceof RepositoryChanged ? failure.pending : null;
    const planned = later(retryAfterFailures(failures, ctx.now()), failure.retryAt);
    await tx.catalogSource.update({
      where: { id: source.id },
      data: {
        state: "failed",
        error: failure.message,
        errorCode: failure.code,
        failures,
        nextSyncAt: source.enabled && pending === null ? planned : null,
        ...(pending && { pendingRepository: JSON.stringify(pending) }),
        ...usageColumns(usage),
      },
    });
    if (source.failures > 0 && source.errorCode === failure.code) return;
    await recordEvent(tx, txCtx, {
      action: "catalog_source.failed",
      outcome: "failed",
      summary: `could not sync the catalog source ${source.label}: ${failure.message}`,
      target: { kind: "catalog_source", id: source.id, name: source.label },
      data: { code: failure.code, requests: usage.requests, ...(pending && { pending }) },
    });
  });
}

function later(a: Date, b: Date | null): Date {
  return b !== null && b > a ? b : a;
}
