import { recordEvent } from "@/lib/audit/record-event";
import { Role } from "@/lib/core/actor";
import { newId } from "@/lib/core/ids";
import type { Ctx } from "@/lib/db/context";
import type { User } from "@/lib/db/generated/client";
import { inTransaction } from "@/lib/db/in-transaction";
import { SESSION_SECONDS } from "./session-cookie";

/** Starts a session of twelve hours for a person whom the caller has made sure of. `how` ends the sentence of its event. */
export async function startSession(
  ctx: Ctx,
  person: Pick<User, "id" | "name" | "email" | "role">,
  how: { by: string; data: Record<string, unknown> } | null,
) {
  const { id: userId, name, email } = person;
  const actor = { kind: "user", userId, name, email, role: Role.parse(person.role), sessionId: newId() } as const;
  await inTransaction(ctx, async (tx, txCtx) => {
    const at = ctx.now();
    const { userAgent, address } = ctx.request;
    const expiresAt = new Date(at.getTime() + SESSION_SECONDS * 1000);
    await tx.session.create({
      data: { id: actor.sessionId, userId, createdAt: at, lastSeenAt: at, expiresAt, userAgent, address },
    });
    const asThem = { ...txCtx, actor };
    await recordEvent(tx, asThem, {
      action: "session.start",
      summary: how === null ? "signed in" : `signed in with ${how.by}`,
      target: { kind: "session", id: actor.sessionId, name },
      data: { userAgent, ...how?.data },
    });
  });
  return actor;
}
