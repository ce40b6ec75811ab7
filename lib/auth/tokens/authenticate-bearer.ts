import { z } from "zod";
import { touchAtMostEachMinute } from "@/lib/auth/sessions/touch-at-most-each-minute";
import { type Actor, Role, Scope } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import { parseJsonColumn } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import type { ApiToken, User, Worker } from "@/lib/db/generated/client";
import { query, sqlOf } from "@/lib/db/sql";

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

/** The actor of a bearer token, or `unauthenticated`. Tokens are looked up by the SHA-256 of the whole secret. */
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
  await touchAtMostEachMinute(ctx, token.lastUsedAt, (tx, { at, before }) =>
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
