import { decode } from "next-auth/jwt";
import { z } from "zod";
import { authenticateBearer } from "@/lib/auth/tokens/authenticate-bearer";
import { type Actor, Role } from "@/lib/core/actor";
import { getEnv } from "@/lib/core/env";
import type { Ctx } from "@/lib/db/context";
import { readSessionCookie, usesSecureCookies } from "./session-cookie";
import { touchAtMostEachMinute } from "./touch-at-most-each-minute";

/** All that the encrypted cookie says; everything else is read from the database on each request. */
export const SessionClaims = z.object({ uid: z.string(), sid: z.string() });

export type SessionClaims = z.infer<typeof SessionClaims>;

/**
 * Who sent the request, as the database knows them now. A bearer token counts alone: a bad one is `unauthenticated` and
 * never falls back to the cookie. Credentials in the address are never looked at.
 */
export async function authenticateRequest(ctx: Ctx, request: Request): Promise<Actor> {
  const [scheme, credentials] = (request.headers.get("authorization") ?? "").split(/ +/, 2);
  if (scheme?.toLowerCase() === "bearer") return authenticateBearer(ctx, credentials ?? "");
  const env = getEnv();
  const cookie = readSessionCookie(request.headers.get("cookie"), usesSecureCookies(env));
  if (cookie === null || env.NEXTAUTH_SECRET === undefined) return { kind: "anonymous" };
  return authenticateSession(ctx, { cookie, secret: env.NEXTAUTH_SECRET });
}

/** The person of a session cookie; anonymous when it is not ours, or the session or the person has ended. */
async function authenticateSession(ctx: Ctx, given: { cookie: string; secret: string }): Promise<Actor> {
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
