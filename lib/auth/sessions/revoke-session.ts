import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { hasScope, requireScope } from "@/lib/policy/require-scope";

/** Ends one session: the caller's own, or anybody's for an admin. Its next request is anonymous. */
export async function revokeSession(ctx: Ctx, id: string): Promise<void> {
  const actor = requireScope(ctx.actor, "write");
  await inTransaction(ctx, async (tx, txCtx) => {
    const session = await tx.session.findUnique({ where: { id }, include: { user: true } });
    const isVisible = session?.userId === actor.userId || hasScope(actor, "admin");
    if (session === null || !isVisible || session.revokedAt !== null) {
      throw new AppError("not_found", `There is no session ${id}.`);
    }
    await tx.session.update({ where: { id }, data: { revokedAt: ctx.now() } });
    await recordEvent(tx, txCtx, {
      action: "session.revoke",
      summary: `ended a session of ${session.user.name}`,
      target: { kind: "session", id, name: session.user.name },
      data: { userId: session.userId },
    });
  });
}
