import { randomBytes } from "node:crypto";
import { sha256Hex } from "@/lib/core/hash";
import { newId } from "@/lib/core/ids";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";

/** A fresh token for the worker this server starts beside itself; the former start's token stops working. */
export async function mintLocalWorker(ctx: Ctx, name: string): Promise<string> {
  const token = `sgw_${randomBytes(32).toString("base64url")}`;
  const secret = { secretHash: sha256Hex(token), manager: true, revokedAt: null };
  const fresh = { id: newId(), name, slots: 1, inventory: "[]", createdAt: ctx.now(), ...secret };
  await inTransaction(ctx, (tx) => tx.worker.upsert({ where: { name }, create: fresh, update: secret }));
  return token;
}
