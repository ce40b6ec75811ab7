import { LRUCache } from "lru-cache";
import { decode } from "next-auth/jwt";
import { z } from "zod";
import { type Actor, Role, Scope } from "@/lib/core/actor";
import { getEnv } from "@/lib/core/env";
import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import { parseJsonColumn } from "@/lib/core/json";
import { logger } from "@/lib/core/logger";
import { processStore } from "@/lib/core/process-store";
import type { Ctx, Tx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import type { ApiToken, Session, User, Worker } from "@/lib/db/generated/client";
import { query, sqlOf } from "@/lib/db/sql";
import { readSessionCookie, usesSecureCookies } from "./session-cookie";

type SessionRow = Pick<Session, "id" | "userId" | "revokedAt" | "expiresAt" | "lastSeenAt"> &
  Pick<User, "name" | "email" | "role" | "state">;
const SESSION = query<SessionRow>(
  `SELECT s."id", s."userId", s."revokedAt", s."expiresAt", s."lastSeenAt", u."name", u."email", u."role", u."state"
   FROM "Session" s JOIN "User" u ON u."id" = s."userId" WHERE s."id" = ?`,
  { revokedAt: "date", expiresAt: "date", lastSeenAt: "date" },
);

/** Contents of the encrypted cookie; all other data is read from the database on each request. */
export const SessionClaims = z.object({ uid: z.string(), sid: z.string() });

export type SessionClaims = z.infer<typeof SessionClaims>;

/**
 * The actor of a request, from the database. A bearer token takes precedence: an invalid one is `unauthenticated` and
 * never falls back to the cookie. Credentials in the URL are ignored.
 */
export async function authenticateRequest(ctx: Ctx, request: Request): Promise<Actor> {
  const [scheme, credentials] = (request.headers.get("authorization") ?? "").split(/ +/, 2);
  if (scheme?.toLowerCase() === "bearer") return authenticateBearer(ctx, credentials ?? "");
  const env = getEnv();
  const cookie = readSessionCookie(request.headers.get("cookie"), usesSecureCookies(env));
  if (cookie === null || env.NEXTAUTH_SECRET === undefined) return { kind: "anonymous" };
  return authenticateSession(ctx, { cookie, secret: env.NEXTAUTH_SECRET });
}

/** The person of a session cookie; anonymous when it is invalid, or the session or person has ended. */
async function authenticateSession(ctx: Ctx, given: { cookie: string; secret: string }): Promise<Actor> {
  const claims = await readClaims(given);
  if (claims === null) return { kind: "anonymous" };
  const session = await sqlOf(ctx).get(SESSION, claims.sid);
  const isLive = session !== undefined && session.revokedAt === null && session.expiresAt > ctx.now();
  if (!isLive || session.userId !== claims.uid || session.state !== "active") return { kind: "anonymous" };
  await updateLastUsed(ctx, session.lastSeenAt, (tx, { at, before }) =>
    tx.session.updateMany({ where: { id: session.id, lastSeenAt: { lt: before } }, data: { lastSeenAt: at } }),
  );
  const { id: sessionId, userId, name, email, role } = session;
  return { kind: "user", userId, name, email, role: Role.parse(role), sessionId };
}

type Claims = SessionClaims & { exp: number };
const Claims = SessionClaims.extend({ exp: z.number() });
const MAX_COOKIES = 5_000;

/** What a cookie says does not change, so it is decrypted once per process: 0.3 ms for each request otherwise. */
async function readClaims({ cookie, secret }: { cookie: string; secret: string }): Promise<SessionClaims | null> {
  const read = processStore("session-cookies", () => new LRUCache<string, Claims>({ max: MAX_COOKIES }));
  const key = sha256Hex(`${secret} ${cookie}`);
  const known = read.get(key);
  if (known !== undefined && known.exp * 1000 > Date.now()) return known;
  try {
    const claims = Claims.safeParse(await decode({ token: cookie, secret })).data;
    if (claims === undefined) return null;
    read.set(key, claims);
    return claims;
  } catch {
    return null; // A cookie of another server, an old secret, or malformed.
  }
}

const SHAPE = /^sg([tw])_[A-Za-z0-9_-]{28,200}$/;

const Scopes = z.array(Scope);

type TokenRow = Pick<ApiToken, "id" | "userId" | "scopes" | "personaId" | "expiresAt" | "lastUsedAt" | "revokedAt"> &
  Pick<User, "name" | "email" | "role" | "state"> & { tokenName: string };
const TOKEN = query<TokenRow>(
  `SELECT t."id", t."userId", t."name" AS "tokenName", t."scopes", t."personaId", t."expiresAt", t."lastUsedAt",
     t."revokedAt", u."name", u."email", u."role", u."state"
   FROM "ApiToken" t JOIN "User" u ON u."id" = t."userId" WHERE t."secretHash" = ?`,
  { expiresAt: "date", lastUsedAt: "date", revokedAt: "date" },
);
const WORKER = query<Pick<Worker, "id" | "name" | "manager" | "revokedAt">>(
  `SELECT "id", "name", "manager", "revokedAt" FROM "Worker" WHERE "secretHash" = ?`,
  { manager: "flag", revokedAt: "date" },
);

/** The actor of a bearer token, else `unauthenticated`. Tokens are found by the SHA-256 of their secret. */
export async function authenticateBearer(ctx: Ctx, secret: string): Promise<Actor> {
  const kind = SHAPE.exec(secret)?.[1];
  const secretHash = sha256Hex(secret);
  const actor =
    kind === "t" ? await findPerson(ctx, secretHash) : kind === "w" ? await findWorker(ctx, secretHash) : null;
  if (actor === null) throw new AppError("unauthenticated", "The bearer token is unknown, revoked or expired.");
  return actor;
}

async function findPerson(ctx: Ctx, secretHash: string): Promise<Actor | null> {
  const token = await sqlOf(ctx).get(TOKEN, secretHash);
  if (token === undefined || token.revokedAt !== null || token.state !== "active") return null;
  if (token.expiresAt !== null && token.expiresAt <= ctx.now()) return null;
  await updateLastUsed(ctx, token.lastUsedAt, (tx, { at, before }) =>
    tx.apiToken.updateMany({
      where: { id: token.id, OR: [{ lastUsedAt: null }, { lastUsedAt: { lt: before } }] },
      data: { lastUsedAt: at },
    }),
  );
  return {
    kind: "token",
    userId: token.userId,
    name: token.name,
    email: token.email,
    role: Role.parse(token.role),
    tokenId: token.id,
    tokenName: token.tokenName,
    scopes: parseJsonColumn(Scopes, token.scopes),
    personaId: token.personaId,
  };
}

async function findWorker(ctx: Ctx, secretHash: string): Promise<Actor | null> {
  const worker = await sqlOf(ctx).get(WORKER, secretHash);
  if (worker === undefined || worker.revokedAt !== null) return null;
  return { kind: "worker", workerId: worker.id, name: worker.name, manager: worker.manager };
}

const MINUTE_MS = 60_000;

/**
 * Updates a time of last use at most once a minute. `write` gets the new time, and the time before which a stored value
 * is stale. A failed update does not fail the request.
 */
export async function updateLastUsed(
  ctx: Ctx,
  last: Date | null,
  write: (tx: Tx, times: { at: Date; before: Date }) => Promise<unknown>,
): Promise<void> {
  const at = ctx.now();
  const before = new Date(at.getTime() - MINUTE_MS);
  if (last !== null && last >= before) return;
  try {
    await inTransaction(ctx, (tx) => write(tx, { at, before }));
  } catch (err) {
    logger.warn({ err }, "a time of last use could not be stored");
  }
}
