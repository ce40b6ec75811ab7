import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import { newId } from "@/lib/core/ids";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { requireScope } from "@/lib/policy/require-scope";
import type { CreateSopInput, Sop } from "@/lib/runner/schema";
import { presentSops } from "./present-sop";
import { isSopSigned } from "./verify-sop";

/** Registers a standard operating procedure; `invalid` unless its signature verifies against a registered key. */
export async function createSop(ctx: Ctx, input: CreateSopInput): Promise<Sop> {
  const actor = requireScope(ctx.actor, "admin");
  return inTransaction(ctx, async (tx, txCtx) => {
    const keys = await tx.sopKey.findMany({
      where: { revokedAt: null, ...(input.keyId === undefined ? {} : { id: input.keyId }) },
    });
    const key = keys.find(({ publicKey }) => isSopSigned({ ...input, publicKey }));
    if (key === undefined) {
      const message = keys.length === 0 ? "has no registered key to verify against" : "does not verify";
      throw new AppError("invalid", `The procedure was not registered: signature ${message}.`, {
        errors: [{ path: "signature", message }],
      });
    }
    const row = await tx.sop.create({
      data: {
        id: newId(),
        title: input.title,
        text: input.text,
        digest: sha256Hex(input.text),
        algorithm: input.algorithm,
        signature: input.signature,
        keyId: key.id,
        createdAt: ctx.now(),
        createdBy: actor.userId,
      },
    });
    await recordEvent(tx, txCtx, {
      action: "sop.create",
      summary: `registered the procedure “${row.title}”, signed with ${key.name}`,
      target: { kind: "sop", id: row.id, name: row.title },
      data: { digest: row.digest, keyId: key.id, fingerprint: key.fingerprint },
    });
    const [sop] = await presentSops(txCtx, [row]);
    if (!sop) throw new Error("presenting one row gave none");
    return sop;
  });
}
