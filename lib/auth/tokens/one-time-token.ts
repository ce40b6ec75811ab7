import { randomBytes } from "node:crypto";
import type { Scope } from "@/lib/core/actor";
import { sha256Hex } from "@/lib/core/hash";
import { newId } from "@/lib/core/ids";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";

const LIFETIME_MS = 7 * 24 * 60 * 60_000;

type Purpose = { purpose: "setup"; userId: null } | { purpose: "invite"; userId: string };

/** Creates the secret of a link that works once within seven days; earlier links become invalid. */
export async function createOneTimeToken(ctx: Ctx, of: Purpose & { createdBy: string | null }): Promise<string> {
  const secret = randomBytes(32).toString("base64url");
  const createdAt = ctx.now();
  await inTransaction(ctx, async (tx) => {
    await tx.oneTimeToken.updateMany({
      where: { purpose: of.purpose, userId: of.userId, usedAt: null },
      data: { usedAt: createdAt },
    });
    await tx.oneTimeToken.create({
      data: {
        id: newId(),
        ...of,
        secretHash: sha256Hex(secret),
        createdAt,
        expiresAt: new Date(createdAt.getTime() + LIFETIME_MS),
      },
    });
  });
  return secret;
}

export type OneTimeTokenState =
  | { state: "unknown" }
  | { state: "used" }
  | { state: "expired" }
  | { state: "valid"; id: string; userId: string | null };

/** State of a link's secret, and its person. */
export async function findOneTimeToken(
  ctx: Ctx,
  given: { purpose: "setup" | "invite"; secret: string },
): Promise<OneTimeTokenState> {
  const row = await ctx.db.oneTimeToken.findUnique({ where: { secretHash: sha256Hex(given.secret) } });
  if (row === null || row.purpose !== given.purpose) return { state: "unknown" };
  if (row.usedAt !== null) return { state: "used" };
  if (row.expiresAt <= ctx.now()) return { state: "expired" };
  return { state: "valid", id: row.id, userId: row.userId };
}

const PREFIX = "playground:";

export const UNISSUED_NAME = "playground";
export const UNISSUED_SCOPES: readonly Scope[] = ["read", "run"];

/** Stands for a token of an agent that the server itself runs; only the agent's sessions are stored. */
export function unissuedTokenId(id: string): string {
  return `${PREFIX}${id}`;
}

export function isUnissued(tokenId: string): boolean {
  return tokenId.startsWith(PREFIX);
}
