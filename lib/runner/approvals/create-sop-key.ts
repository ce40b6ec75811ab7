import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import { newId } from "@/lib/core/ids";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { requireScope } from "@/lib/policy/require-scope";
import type { CreateSopKeyInput, SopKey } from "@/lib/runner/schema";
import { presentSopKey } from "./list-sop-keys";
import { readSopKey } from "./verify-sop";

/** Registers a public key that procedures may be signed with. `conflict` when this key is registered already. */
export async function createSopKey(ctx: Ctx, input: CreateSopKeyInput): Promise<SopKey> {
  const actor = requireScope(ctx.actor, "admin");
  const { key } = readSopKey(input.publicKey);
  const fingerprint = sha256Hex(key.export({ type: "spki", format: "der" }));
  return inTransaction(ctx, async (tx, txCtx) => {
    const known = await tx.sopKey.findFirst({ where: { fingerprint, revokedAt: null } });
    if (known !== null) throw new AppError("conflict", `This key is registered already, as “${known.name}”.`);
    const row = await tx.sopKey.create({
      data: {
        id: newId(),
        name: input.name,
        publicKey: key.export({ type: "spki", format: "pem" }).toString(),
        fingerprint,
        createdAt: ctx.now(),
        createdBy: actor.userId,
      },
    });
    await recordEvent(tx, txCtx, {
      action: "sop-key.create",
      summary: `registered the key “${row.name}” for procedures`,
      target: { kind: "sop-key", id: row.id, name: row.name },
      data: { fingerprint },
    });
    return presentSopKey(row);
  });
}
