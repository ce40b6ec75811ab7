import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { requireWorker } from "../leases/exchange";
import { readInventory } from "./stored-inventory";

/**
 * Stores a file that the last inventory of this worker named and the server lacks; one it has is left as it is.
 * `not_found` for any other hash, `invalid` when the bytes are not those of the hash.
 */
export async function storeInventoryBlob(ctx: Ctx, sha256: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const { workerId } = requireWorker(ctx.actor);
  const { inventory } = await ctx.db.worker.findUniqueOrThrow({ where: { id: workerId }, select: { inventory: true } });
  const isNamed = readInventory(inventory).items.some(({ files }) => files.some((file) => file.sha256 === sha256));
  if (!isNamed) throw new AppError("not_found", `The last inventory names no file ${sha256.slice(0, 7)}.`);
  if (sha256Hex(bytes) !== sha256) throw new AppError("invalid", `The bytes are not those of ${sha256.slice(0, 7)}.`);
  await inTransaction(ctx, async (tx, txCtx) => {
    const known = await tx.blob.findUnique({ where: { sha256 }, select: { sha256: true } });
    if (known) return;
    await tx.blob.create({ data: { sha256, size: bytes.byteLength, bytes, createdAt: ctx.now() } });
    await recordEvent(tx, txCtx, {
      action: "worker.file",
      summary: `sent the file ${sha256.slice(0, 7)} of a skill`,
      target: { kind: "file", id: sha256, name: sha256.slice(0, 7) },
      data: { sha256, size: bytes.byteLength },
    });
  });
}
