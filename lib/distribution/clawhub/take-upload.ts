import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { requireScope } from "@/lib/policy/require-scope";

/** Takes the bytes that room was made for: `invalid` when they are others than was said. Sending them again changes nothing. */
export async function takeUpload(ctx: Ctx, id: string, bytes: Uint8Array<ArrayBuffer>): Promise<{ storageId: string }> {
  const { userId } = requireScope(ctx.actor, "write");
  await inTransaction(ctx, async (tx, txCtx) => {
    const ticket = await tx.uploadTicket.findUnique({
      where: { id },
      select: { userId: true, size: true, sha256: true, path: true, expiresAt: true },
    });
    if (ticket === null || ticket.userId !== userId || ticket.expiresAt <= ctx.now()) {
      throw new AppError("not_found", "This upload is unknown, or more than an hour old. Publish again.");
    }
    if (bytes.byteLength !== ticket.size || sha256Hex(bytes) !== ticket.sha256) {
      throw new AppError("invalid", `The bytes of ${ticket.path} are not those that were announced.`);
    }
    await tx.uploadTicket.update({ where: { id }, data: { bytes } });
    await recordEvent(tx, txCtx, {
      action: "upload.take",
      summary: `uploaded ${ticket.path}`,
      target: { kind: "upload", id, name: ticket.path },
      data: { size: ticket.size, sha256: ticket.sha256 },
    });
  });
  return { storageId: id };
}
