import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { join } from "node:path";
import { readKeyFile } from "@/lib/core/key-file";
import { processId } from "@/lib/core/process-id";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";

const NAME = /^[0-9a-f]{6}$/;

/** What a data directory is called among those of one database: six hexadecimal digits, made at its first start. */
export async function instanceName(folder: string): Promise<string> {
  const name = (await readKeyFile(folder, "instance-name", () => randomBytes(3).toString("hex"))).trim();
  if (!NAME.test(name)) throw new Error(`${join(folder, "instance-name")} does not hold six hexadecimal digits.`);
  return name;
}

/**
 * Enters this process among those that serve the database. Whichever had its data directory before has ended: one process
 * has it at a time.
 */
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

export async function leaveProcesses(ctx: Ctx): Promise<void> {
  await inTransaction(ctx, (tx) => tx.process.deleteMany({ where: { id: processId() } }));
}
