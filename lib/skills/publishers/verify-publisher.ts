import { recordEvent } from "@/lib/audit/record-event";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { requireScope } from "@/lib/policy/require-scope";
import { getPublisher, requirePublisher } from "./get-publisher";
import type { Publisher } from "./schema";

/** An admin says, or no longer says, that a publisher is who its name says. Saying it twice changes nothing. */
export async function verifyPublisher(ctx: Ctx, handle: string, verified: boolean): Promise<Publisher> {
  const actor = requireScope(ctx.actor, "admin");
  return inTransaction(ctx, async (tx, txCtx) => {
    const row = await requirePublisher(txCtx, actor, handle);
    if ((row.verifiedAt !== null) !== verified) {
      const data = verified
        ? { verifiedAt: ctx.now(), verifiedById: actor.userId }
        : { verifiedAt: null, verifiedById: null };
      await tx.publisher.update({ where: { id: row.id }, data: { ...data, updatedAt: ctx.now() } });
      await recordEvent(tx, txCtx, {
        action: verified ? "publisher.verify" : "publisher.unverify",
        summary: `${verified ? "verified" : "took the verified mark from"} the publisher ${row.handle}`,
        concerns: row.userId,
        target: { kind: "publisher", id: row.id, name: row.handle },
      });
    }
    return getPublisher(txCtx, row.handle);
  });
}
