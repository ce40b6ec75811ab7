import { randomBytes } from "node:crypto";
import { z } from "zod";
import { recordEvent } from "@/lib/audit/record-event";
import { ApiToken, type CreatedToken, type CreateTokenInput, type ListTokensQuery } from "@/lib/auth/schema";
import { type Actor, isAgent, type PersonActor, Scope } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import { newId } from "@/lib/core/ids";
import type { Page } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import type { Prisma } from "@/lib/db/generated/client";
import { effectiveScopes, hasScope, requireScope } from "@/lib/policy/require-scope";

const tokenInclude = { user: true, persona: true } satisfies Prisma.ApiTokenInclude;
type TokenRow = Prisma.ApiTokenGetPayload<{ include: typeof tokenInclude }>;

function describeToken(row: TokenRow): ApiToken {
  return ApiToken.parse({
    ...row,
    userName: row.user.name,
    scopes: JSON.parse(row.scopes),
    persona: row.personaId,
    personaName: row.persona?.name ?? null,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  });
}

/** Throws for an agent under a persona: a token without the persona would lift the agent's limits. */
export function requireTokenManager(given: Actor): PersonActor {
  const actor = requireScope(given, "write");
  if (isAgent(actor)) {
    throw new AppError("forbidden", "A token with a persona can neither create nor revoke tokens.");
  }
  return actor;
}

/** One token that is not revoked: an own one, or any for admins. */
export async function getToken(ctx: Ctx, id: string): Promise<ApiToken> {
  const actor = requireScope(ctx.actor, "read");
  const row = await ctx.db.apiToken.findUnique({ where: { id }, include: tokenInclude });
  const isVisible = row?.userId === actor.userId || hasScope(actor, "admin");
  if (row === null || row.revokedAt !== null || !isVisible) throw new AppError("not_found", `There is no token ${id}.`);
  return describeToken(row);
}

/** Tokens that are not revoked, newest first: the caller's own; for admins also those of another person or of all. */
export async function listTokens(ctx: Ctx, query: ListTokensQuery): Promise<Page<ApiToken>> {
  const actor = requireScope(ctx.actor, "read");
  const userId = query.all ? undefined : (query.user ?? actor.userId);
  if (userId !== actor.userId) requireScope(actor, "admin");
  const rows = await ctx.db.apiToken.findMany({
    where: {
      revokedAt: null,
      ...(userId === undefined ? {} : { userId }),
      ...(query.cursor === undefined ? {} : { id: { lt: decodeCursor(z.string(), query.cursor) } }),
    },
    include: tokenInclude,
    orderBy: { id: "desc" },
    take: query.limit + 1,
  });
  return toPage(rows, query.limit, (row) => row.id, describeToken);
}

const DECISION_SCOPES: Scope[] = ["review", "admin"];

const DEFAULT_MS = 90 * 24 * 60 * 60_000;

/** Creates an API token for the caller, or by an admin for another person. Only this answer contains the secret. */
export async function createToken(ctx: Ctx, input: CreateTokenInput): Promise<CreatedToken> {
  const actor = requireTokenManager(ctx.actor);
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
      summary: `created the token “${row.name}”${whose} with ${scopes.join(", ")}`,
      target: { kind: "token", id: row.id, name: row.name },
      data: { userId: row.userId, scopes, persona: row.persona?.name ?? null, expiresAt: row.expiresAt },
    });
    return { ...describeToken(row), token: secret };
  });
}

/** Expiry of a new token: as requested, else in 90 days; never after the token that creates it. */
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
 * Callers cannot grant more rights than they have, nor create deciding tokens for other people, which would undermine
 * the two-person rule; agents under a persona never decide.
 */
async function assertTokenAllowed(
  ctx: Ctx,
  { actor, input }: { actor: PersonActor; input: CreateTokenInput },
): Promise<void> {
  const deciding = input.scopes.filter((scope) => DECISION_SCOPES.includes(scope));
  if (input.userId !== undefined && input.userId !== actor.userId) {
    requireScope(actor, "admin");
    if (deciding.length > 0) {
      throw new AppError(
        "forbidden",
        `A token with ${deciding.join(" or ")} cannot be created for another person. That person can create it.`,
      );
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
  if (excess.length > 0) {
    throw new AppError("forbidden", `You cannot grant ${excess.join(", ")}, because you do not have it yourself.`);
  }
}

async function assertActive(ctx: Ctx, userId: string): Promise<void> {
  const user = await ctx.db.user.findUnique({ where: { id: userId } });
  if (user?.state !== "active") throw invalid("userId", "must be the id of an active person");
}

function invalid(path: string, message: string): AppError {
  return new AppError("invalid", `The token cannot be created: ${path} ${message}.`, { errors: [{ path, message }] });
}

const OPERATOR = "environment";

/**
 * Registers the operator's token for an admin, with all scopes and without expiry. It replaces the former one; a token
 * that was revoked here stays revoked.
 */
export async function registerAdminToken(ctx: Ctx, { email, token }: { email: string; token: string }): Promise<void> {
  if (ctx.actor.kind !== "system") throw new AppError("forbidden", "Only the server itself registers this token.");
  const secretHash = sha256Hex(token);
  await inTransaction(ctx, async (tx, txCtx) => {
    if ((await tx.apiToken.count({ where: { secretHash } })) > 0) return;
    const user = await tx.user.findUnique({ where: { email, role: "admin" } });
    if (user === null) return;
    const at = ctx.now();
    await tx.apiToken.updateMany({
      where: { userId: user.id, createdBy: OPERATOR, revokedAt: null },
      data: { revokedAt: at },
    });
    const id = newId();
    const name = "SKILLGATE_ADMIN_TOKEN";
    const scopes = JSON.stringify(Scope.options);
    await tx.apiToken.create({
      data: { id, userId: user.id, createdBy: OPERATOR, name, secretHash, scopes, createdAt: at },
    });
    await recordEvent(tx, txCtx, {
      action: "token.create",
      summary: `registered the token of the environment for ${user.name}`,
      target: { kind: "token", id, name },
      data: { userId: user.id, scopes: Scope.options },
    });
  });
}

/** Revokes a token: an own one, or any for admins. Its next request is refused. */
export async function revokeToken(ctx: Ctx, id: string): Promise<void> {
  const actor = requireTokenManager(ctx.actor);
  await inTransaction(ctx, async (tx, txCtx) => {
    const token = await tx.apiToken.findUnique({ where: { id } });
    const isVisible = token?.userId === actor.userId || hasScope(actor, "admin");
    if (token === null || token.revokedAt !== null || !isVisible) {
      throw new AppError("not_found", `There is no token ${id}.`);
    }
    await tx.apiToken.update({ where: { id }, data: { revokedAt: ctx.now() } });
    await recordEvent(tx, txCtx, {
      action: "token.revoke",
      summary: `revoked the token “${token.name}”`,
      target: { kind: "token", id, name: token.name },
      data: { userId: token.userId },
    });
  });
}
