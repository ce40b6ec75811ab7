import { recordEvent } from "@/lib/audit/record-event";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { requireTokenKeeper } from "../tokens/require-token-keeper";
import { requireWaiting } from "./get-device-login";
import type { DeviceDecision } from "./schema";

/** Lets the program with this code in as the caller, or turns it away. Its token is made when it fetches it. */
export async function decideDeviceLogin(ctx: Ctx, userCode: string, { decision }: DeviceDecision): Promise<void> {
  const actor = requireTokenKeeper(ctx.actor);
  await inTransaction(ctx, async (tx, txCtx) => {
    const row = await requireWaiting(txCtx, userCode);
    const approved = decision === "approve";
    await tx.deviceLogin.update({
      where: { id: row.id },
      data: { userId: actor.userId, decidedAt: ctx.now(), approved },
    });
    await recordEvent(tx, txCtx, {
      action: approved ? "device-login.approve" : "device-login.deny",
      summary: approved ? `let the program “${row.clientName}” in` : `turned the program “${row.clientName}” away`,
      target: { kind: "device-login", id: row.id, name: row.clientName },
      decision: approved ? "approve" : "reject",
      data: { address: row.address },
    });
  });
}
