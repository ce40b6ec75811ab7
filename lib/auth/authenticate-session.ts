import { decode } from "next-auth/jwt";
import { z } from "zod";
import { type Actor, Role } from "@/lib/core/actor";
import type { Ctx } from "@/lib/db/context";
import { touchAtMostEachMinute } from "./touch-at-most-each-minute";

/** All that the encrypted cookie says; everything else is read from the database on each request. */
export const SessionClaims = z.object({ uid: z.string(), sid: z.string() });
export type SessionClaims = z.infer<typeof SessionClaims>;

/** The person of a session cookie; anonymous when it is not ours, or the session or the person has ended. */
export async function authenticateSession(ctx: Ctx, given: { cookie: string; secret: string }): Promise<Actor> {
  const claims = await readClaims(given);
  if (claims === null) return { kind: "anonymous" };
  const session = await ctx.db.session.findUnique({ where: { id: claims.sid }, include: { user: true } });
  const isLive = session !== null && session.revokedAt === null && session.expiresAt > ctx.now();
  if (!isLive || session.userId !== claims.uid || session.user.state !== "active") return { kind: "anonymous" };
  await touchAtMostEachMinute(ctx, session.lastSeenAt, (tx, { at, before }) =>
    tx.session.updateMany({ where: { id: session.id, lastSeenAt: { lt: before } }, data: { lastSeenAt: at } }),
  );
  const { id, name, email, role } = session.user;
  return { kind: "user", userId: id, name, email, role: Role.parse(role), sessionId: session.id };
}

async function readClaims({ cookie, secret }: { cookie: string; secret: string }): Promise<SessionClaims | null> {
  try {
    return SessionClaims.safeParse(await decode({ token: cookie, secret })).data ?? null;
  } catch {
    return null; // Another server's cookie, an old secret, or garbage: nobody is signed in.
  }
}
