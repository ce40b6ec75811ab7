import { processId } from "@/lib/core/process-id";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";

const SIGN_MS = 10_000;
const SILENT_MS = 60_000;
const FORGOTTEN_MS = 24 * 60 * 60_000;

/** Says every ten seconds that this process lives, where there may be others; forgets those that have been silent for a day. */
export function keepProcess(ctx: Ctx, onError: (error: unknown) => void): () => void {
  if (ctx.database.dialect === "sqlite") return () => {};
  const sign = async () => {
    const now = ctx.now();
    await inTransaction(ctx, async (tx) => {
      await tx.process.updateMany({ where: { id: processId() }, data: { lastSeenAt: now } });
      await tx.process.deleteMany({ where: { lastSeenAt: { lt: new Date(now.getTime() - FORGOTTEN_MS) } } });
    });
  };
  const timer = setInterval(() => void sign().catch(onError), SIGN_MS);
  return () => clearInterval(timer);
}

/** Whether a process still works on what it began: this one, or another that was heard of within the last minute. */
export async function isProcessAlive(ctx: Pick<Ctx, "database" | "db" | "now">, id: string): Promise<boolean> {
  if (id === processId()) return true;
  // A second process on a file is refused at its start.
  if (ctx.database.dialect === "sqlite") return false;
  const row = await ctx.db.process.findUnique({ where: { id } });
  return row !== null && row.lastSeenAt.getTime() > ctx.now().getTime() - SILENT_MS;
}
