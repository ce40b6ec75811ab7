import { randomBytes } from "node:crypto";
import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import { newId } from "@/lib/core/ids";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { requireScope } from "@/lib/policy/require-scope";
import type { CreateWorkerInput, Worker } from "@/lib/runner/schema";
import { presentWorkers } from "./list-workers";

/** Registers a worker and mints its token, which is shown this once. `conflict` when the name is taken. */
export async function createWorker(ctx: Ctx, input: CreateWorkerInput): Promise<{ worker: Worker; token: string }> {
  const actor = requireScope(ctx.actor, "admin");
  const token = `sgw_${randomBytes(32).toString("base64url")}`;
  return inTransaction(ctx, async (tx, txCtx) => {
    if (await tx.worker.findUnique({ where: { name: input.name } })) {
      throw new AppError("conflict", `There is a worker “${input.name}” already.`);
    }
    const row = await tx.worker.create({
      data: {
        id: newId(),
        name: input.name,
        secretHash: sha256Hex(token),
        manager: input.manager,
        slots: 1,
        inventory: "[]",
        createdAt: ctx.now(),
        createdBy: actor.userId,
      },
    });
    await recordEvent(tx, txCtx, {
      action: "worker.create",
      summary: `added the worker ${row.name}`,
      target: { kind: "worker", id: row.id, name: row.name },
      data: { manager: input.manager },
    });
    const [worker] = await presentWorkers(txCtx, [row]);
    if (!worker) throw new Error("presenting one row gave none");
    return { worker, token };
  });
}
