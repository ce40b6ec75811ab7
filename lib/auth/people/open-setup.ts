import { recordEvent } from "@/lib/audit/record-event";
import { createOneTimeToken } from "@/lib/auth/tokens/one-time-token";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { hasAdmin } from "./create-first-admin";

/** Makes the secret of a fresh set-up link while there is no admin; earlier links stop working. For the start of the server only. */
export async function openSetup(ctx: Ctx): Promise<string> {
  if (ctx.actor.kind !== "system") throw new AppError("forbidden", "Only the server itself opens the set-up.");
  return inTransaction(ctx, async (tx, txCtx) => {
    if (await hasAdmin(txCtx)) throw new AppError("conflict", "This server is set up already.");
    const secret = await createOneTimeToken(txCtx, { purpose: "setup", userId: null, createdBy: null });
    await recordEvent(tx, txCtx, { action: "setup.open", summary: "printed a set-up link" });
    return secret;
  });
}
