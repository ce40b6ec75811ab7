import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { join } from "node:path";
import { readKeyFile } from "@/lib/core/key-file";
import { processId } from "@/lib/core/process-store";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";

const SIGN_MS = 10_000;
const SILENT_MS = 60_000;
const FORGOTTEN_MS = 24 * 60 * 60_000;

/** Stores every ten seconds that this process is alive, if there can be others; removes processes that were silent for a day. */
export function sendHeartbeats(ctx: Ctx, onError: (error: unknown) => void): () => void {
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

/** Whether a process is alive: this one, or another with a heartbeat within the last minute. */
export async function isProcessAlive(ctx: Pick<Ctx, "database" | "db" | "now">, id: string): Promise<boolean> {
  if (id === processId()) return true;
  // A second process on the same file is refused at its start.
  if (ctx.database.dialect === "sqlite") return false;
  const row = await ctx.db.process.findUnique({ where: { id } });
  return row !== null && row.lastSeenAt.getTime() > ctx.now().getTime() - SILENT_MS;
}

const NAME = /^[0-9a-f]{6}$/;

/** The name of a data directory among those of one database: six hexadecimal digits, created at its first start. */
export async function instanceName(folder: string): Promise<string> {
  const name = (await readKeyFile(folder, "instance-name", () => randomBytes(3).toString("hex"))).trim();
  if (!NAME.test(name)) throw new Error(`${join(folder, "instance-name")} does not hold six hexadecimal digits.`);
  return name;
}

/** Registers this process. An earlier one with the same data directory has ended, since only one can use it. */
export async function registerProcess(
  ctx: Ctx,
  { instance, version, address }: { instance: string; version: string; address: string },
): Promise<void> {
  const at = ctx.now();
  const row = { host: hostname(), pid: process.pid, version, address, startedAt: at, lastSeenAt: at };
  await inTransaction(ctx, async (tx) => {
    await tx.process.deleteMany({ where: { instance } });
    await tx.process.create({ data: { id: processId(), instance, ...row } });
  });
}

export async function unregisterProcess(ctx: Ctx): Promise<void> {
  await inTransaction(ctx, (tx) => tx.process.deleteMany({ where: { id: processId() } }));
}
