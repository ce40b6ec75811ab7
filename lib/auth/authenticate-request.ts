import type { Actor } from "@/lib/core/actor";
import { getEnv } from "@/lib/core/env";
import type { Ctx } from "@/lib/db/context";
import { authenticateBearer } from "./authenticate-bearer";
import { authenticateSession } from "./authenticate-session";
import { readSessionCookie, usesSecureCookies } from "./session-cookie";

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
