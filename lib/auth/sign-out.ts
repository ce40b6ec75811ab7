import { recordEvent } from "@/lib/audit/record-event";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";

/** Ends the session the request came with. Somebody who is not signed in, or whose session has ended, changes nothing. */
export async function signOut(ctx: Ctx): Promise<void> {
  const { actor } = ctx;
  if (actor.kind !== "user") return;
  await inTransaction(ctx, async (tx, txCtx) => {
    const ended = await tx.session.updateMany({
      where: { id: actor.sessionId, revokedAt: null },
      data: { revokedAt: ctx.now() },
    });
    if (ended.count === 0) return;
    await recordEvent(tx, txCtx, {
      action: "session.end",
      summary: "signed out",
      target: { kind: "session", id: actor.sessionId, name: actor.name },
    });
  });
}
