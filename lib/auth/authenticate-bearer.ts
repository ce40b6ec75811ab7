import { z } from "zod";
import { type Actor, Role, Scope } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import { parseJsonColumn } from "@/lib/core/json";
import type { Ctx } from "@/lib/db/context";
import { touchAtMostEachMinute } from "./touch-at-most-each-minute";

const SHAPE = /^sg([tw])_[A-Za-z0-9_-]{28,200}$/;

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
  const token = await ctx.db.apiToken.findUnique({ where: { secretHash }, include: { user: true } });
  if (token === null || token.revokedAt !== null || token.user.state !== "active") return null;
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
    name: token.user.name,
    email: token.user.email,
    role: Role.parse(token.user.role),
    tokenId: token.id,
    tokenName: token.name,
    scopes: parseJsonColumn(z.array(Scope), token.scopes),
    personaId: token.personaId,
  };
}

async function findWorker(ctx: Ctx, secretHash: string): Promise<Actor | null> {
  const worker = await ctx.db.worker.findUnique({ where: { secretHash } });
  if (worker === null || worker.revokedAt !== null) return null;
  return { kind: "worker", workerId: worker.id, name: worker.name, manager: worker.manager };
}
