import { randomBytes } from "node:crypto";
import { recordEvent } from "@/lib/audit/record-event";
import type { CreatedToken, CreateTokenInput } from "@/lib/auth/schema";
import { type PersonActor, Scope } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import { newId } from "@/lib/core/ids";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { effectiveScopes, requireScope } from "@/lib/policy/require-scope";
import { describeToken, tokenInclude } from "./describe-token";
import { requireTokenKeeper } from "./require-token-keeper";

const POWERS_OF_DECISION: Scope[] = ["review", "admin"];

const DEFAULT_MS = 90 * 24 * 60 * 60_000;

/** Makes an API token for the caller, or by an admin for somebody else. The secret is in this answer and nowhere else. */
export async function createToken(ctx: Ctx, input: CreateTokenInput): Promise<CreatedToken> {
  const actor = requireTokenKeeper(ctx.actor);
  const secret = `sgt_${randomBytes(32).toString("base64url")}`;
  const scopes = Scope.options.filter((scope) => input.scopes.includes(scope));
  return inTransaction(ctx, async (tx, txCtx) => {
    await assertTokenAllowed(txCtx, { actor, input });
    const row = await tx.apiToken.create({
      data: {
        id: newId(),
        userId: input.userId ?? actor.userId,
        createdBy: actor.userId,
        name: input.name,
        secretHash: sha256Hex(secret),
        scopes: JSON.stringify(scopes),
        personaId: input.persona ?? null,
        createdAt: ctx.now(),
        expiresAt: await tokenExpiry(txCtx, { actor, wanted: input.expiresAt }),
      },
      include: tokenInclude,
    });
    const whose = row.userId === actor.userId ? "" : ` for ${row.user.name}`;
    await recordEvent(tx, txCtx, {
      action: "token.create",
      summary: `made the token “${row.name}”${whose} with ${scopes.join(", ")}`,
      target: { kind: "token", id: row.id, name: row.name },
      data: { userId: row.userId, scopes, persona: row.persona?.name ?? null, expiresAt: row.expiresAt },
    });
    return { ...describeToken(row), token: secret };
  });
}

/** When a new token ends: as wanted, else in 90 days; never after the token it is made with. */
async function tokenExpiry(
  ctx: Ctx,
  { actor, wanted }: { actor: PersonActor; wanted: string | undefined },
): Promise<Date> {
  const latest = await findOwnExpiry(ctx, actor);
  if (wanted === undefined) {
    const expiry = new Date(ctx.now().getTime() + DEFAULT_MS);
    return latest !== null && latest < expiry ? latest : expiry;
  }
  const expiry = new Date(wanted);
  if (expiry <= ctx.now()) throw refusal("must be in the future");
  if (latest !== null && expiry > latest) {
    throw refusal(`must not be after ${latest.toISOString()}, when the token you use ends`);
  }
  return expiry;
}

async function findOwnExpiry(ctx: Ctx, actor: PersonActor): Promise<Date | null> {
  if (actor.kind !== "token") return null;
  const own = await ctx.db.apiToken.findUnique({ where: { id: actor.tokenId } });
  return own?.expiresAt ?? null;
}

function refusal(message: string): AppError {
  return new AppError("invalid", `The expiry ${message}.`, { errors: [{ path: "expiresAt", message }] });
}

/**
 * Nobody hands out more than they have themselves; nobody mints a token that decides for somebody else, so that four
 * eyes cannot become two; and an agent under a persona never decides.
 */
async function assertTokenAllowed(
  ctx: Ctx,
  { actor, input }: { actor: PersonActor; input: CreateTokenInput },
): Promise<void> {
  const deciding = input.scopes.filter((scope) => POWERS_OF_DECISION.includes(scope));
  if (input.userId !== undefined && input.userId !== actor.userId) {
    requireScope(actor, "admin");
    if (deciding.length > 0) {
      throw new AppError("forbidden", `Nobody makes a token with ${deciding.join(" or ")} for somebody else.`);
    }
    await assertActive(ctx, input.userId);
  }
  if (input.persona !== undefined) {
    if (deciding.length > 0) {
      throw invalid("scopes", `cannot hold ${deciding.join(" or ")} in a token that acts under a persona`);
    }
    const persona = await ctx.db.persona.findUnique({ where: { id: input.persona } });
    if (persona === null) throw invalid("persona", "must be the id of a persona");
  }
  const excess = input.scopes.filter((scope) => !effectiveScopes(actor).includes(scope));
  if (excess.length > 0) throw new AppError("forbidden", `You do not have ${excess.join(", ")} yourself.`);
}

async function assertActive(ctx: Ctx, userId: string): Promise<void> {
  const user = await ctx.db.user.findUnique({ where: { id: userId } });
  if (user?.state !== "active") throw invalid("userId", "must be the id of an active person");
}

function invalid(path: string, message: string): AppError {
  return new AppError("invalid", `The token cannot be made: ${path} ${message}.`, { errors: [{ path, message }] });
}
