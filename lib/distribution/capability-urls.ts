import { randomBytes } from "node:crypto";
import { z } from "zod";
import { recordEvent } from "@/lib/audit/record-event";
import { requireTokenManager } from "@/lib/auth/tokens/tokens";
import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import { newId } from "@/lib/core/ids";
import type { Page } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import { Prisma, type CapabilityUrl as Row } from "@/lib/db/generated/client";
import { listOf, query, readComposed, sqlOf } from "@/lib/db/sql";
import { hasScope, requireScope } from "@/lib/policy/require-scope";
import { findPublisher } from "@/lib/skills/community/publishers";

import { requireSkill } from "@/lib/skills/skill-access";
import { publicAddress } from "./public-address";
import {
  CapabilityUrl,
  CreateCapabilityUrlInput,
  type CreatedCapabilityUrl,
  type ListCapabilityUrlsQuery,
} from "./schema";

const DAY_MS = 24 * 60 * 60_000;
const DEFAULT_DAYS = 90;
const MAX_DAYS = 366;
const MAX_LIVE = 200;
/** Characters of a token that are stored and shown in clear. */
const PREFIX_CHARACTERS = 10;

/**
 * Creates a read-only URL for programs, valid for at most a year, that never covers more than the caller may see, now
 * or later. Only this answer holds the token.
 */
export async function createCapabilityUrl(ctx: Ctx, given: CreateCapabilityUrlInput): Promise<CreatedCapabilityUrl> {
  const actor = requireTokenManager(ctx.actor);
  const input = CreateCapabilityUrlInput.parse(given);
  const token = `sgc_${randomBytes(32).toString("base64url")}`;
  return inTransaction(ctx, async (tx, txCtx) => {
    await assertQuota(txCtx, actor.userId);
    if (input.persona !== undefined && (await tx.persona.count({ where: { id: input.persona } })) === 0) {
      const message = "is no persona";
      throw new AppError("invalid", `“${input.persona}” ${message}.`, { errors: [{ path: "persona", message }] });
    }
    const row = await tx.capabilityUrl.create({
      data: {
        id: newId(),
        userId: actor.userId,
        createdBy: actor.userId,
        personaId: input.persona ?? null,
        scopeKind: input.scope.kind,
        scopeId: await findTarget(txCtx, input.scope),
        tokenHash: sha256Hex(token),
        prefix: token.slice(0, PREFIX_CHARACTERS),
        name: input.name,
        createdAt: ctx.now(),
        expiresAt: await expiryOf(txCtx, input.expiresAt),
      },
    });
    const [shown] = await describeCapabilityUrls(txCtx, [row]);
    if (shown === undefined) throw new Error("describeCapabilityUrls returned no row");
    await recordEvent(tx, txCtx, {
      action: "capability_url.create",
      summary: `created the capability URL “${row.name}” (${row.prefix}…) for ${shown.scope.label}`,
      target: { kind: "capability_url", id: row.id, name: row.name },
      ...(row.scopeKind === "skill" && row.scopeId !== null ? { skillId: row.scopeId } : {}),
      data: { prefix: row.prefix, scope: shown.scope, persona: row.personaId, expiresAt: row.expiresAt },
    });
    return { ...shown, url: publicAddress(`/t/${token}`) };
  });
}

async function assertQuota(ctx: Ctx, userId: string): Promise<void> {
  const live = await ctx.db.capabilityUrl.count({ where: { userId, revokedAt: null, expiresAt: { gt: ctx.now() } } });
  if (live < MAX_LIVE) return;
  throw new AppError("conflict", `You have ${MAX_LIVE} capability URLs; revoke one first.`);
}

/** At most the expiry of the token that creates it: a copy of that token's rights must not outlive it. */
async function expiryOf(ctx: Ctx, wanted: string | undefined): Promise<Date> {
  const own =
    ctx.actor.kind === "token" ? await ctx.db.apiToken.findUnique({ where: { id: ctx.actor.tokenId } }) : null;
  const now = ctx.now().getTime();
  const latest = Math.min(now + MAX_DAYS * DAY_MS, own?.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY);
  if (wanted === undefined) return new Date(Math.min(now + DEFAULT_DAYS * DAY_MS, latest));
  const expiry = new Date(wanted);
  if (expiry.getTime() <= now) throw badExpiry("must be in the future");
  if (expiry.getTime() > latest) throw badExpiry(`must not be after ${new Date(latest).toISOString()}`);
  return expiry;
}

function badExpiry(message: string): AppError {
  return new AppError("invalid", `The expiry ${message}.`, { errors: [{ path: "expiresAt", message }] });
}

/** Id of the scope's target, which the caller must be able to see. */
async function findTarget(
  ctx: Ctx,
  scope: ReturnType<typeof CreateCapabilityUrlInput.parse>["scope"],
): Promise<string | null> {
  if (scope.kind === "root") return null;
  if (scope.kind === "skill") return (await requireSkill(ctx, scope.id)).id;
  if (scope.kind === "publisher") {
    const found =
      (await findPublisher(ctx, scope.id)) ?? (await ctx.db.publisher.findUnique({ where: { id: scope.id } }));
    if (found === null) throw new AppError("not_found", `There is no publisher “${scope.id}”.`);
    return found.id;
  }
  const { userId } = requireTokenManager(ctx.actor);
  const collection = await ctx.db.collection.findFirst({
    where: {
      AND: [{ OR: [{ slug: scope.id }, { id: scope.id }] }, { OR: [{ visibility: "public" }, { ownerId: userId }] }],
    },
  });
  if (collection === null) throw new AppError("not_found", `There is no collection “${scope.id}” that you can see.`);
  return collection.id;
}

async function describeCapabilityUrls(ctx: Ctx, rows: Row[]): Promise<CapabilityUrl[]> {
  const labels = await readLabels(ctx, rows);
  const now = ctx.now();
  return rows.map((row) => {
    const { scopeKind: kind, scopeId: id } = row;
    const label = id === null ? "Everything you can use" : (labels.get(id) ?? `A ${kind} that is gone`);
    return CapabilityUrl.parse({
      ...row,
      scope: { kind, id, label },
      persona: row.personaId,
      createdAt: row.createdAt.toISOString(),
      expiresAt: row.expiresAt.toISOString(),
      lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
      expired: row.expiresAt <= now,
    });
  });
}

async function readLabels(ctx: Ctx, rows: Row[]): Promise<Map<string, string>> {
  const ids = listOf(
    ctx,
    rows.flatMap(({ scopeId }) => scopeId ?? []),
  );
  const labels = await readComposed<{ id: string; label: string }>(
    ctx,
    Prisma.sql`SELECT "id", "name" AS "label" FROM "Skill" WHERE "id" IN ${ids}
      UNION ALL SELECT "id", 'Skills of ' || "displayName" FROM "Publisher" WHERE "id" IN ${ids}
      UNION ALL SELECT "id", 'Collection ' || "title" FROM "Collection" WHERE "id" IN ${ids}`,
  );
  return new Map(labels.map(({ id, label }) => [id, label]));
}

/** Sorts after every id. */
const LAST = "~";
const OWN = query<Row>(
  `SELECT * FROM "CapabilityUrl" WHERE "userId" = ? AND "revokedAt" IS NULL AND "id" < ? ORDER BY "id" DESC LIMIT ?`,
  { createdAt: "date", expiresAt: "date", lastUsedAt: "date", revokedAt: "date" },
);

/** Lists the caller's capability URLs that are not revoked, newest first, expired ones included. */
export async function listCapabilityUrls(ctx: Ctx, query: ListCapabilityUrlsQuery): Promise<Page<CapabilityUrl>> {
  const { userId } = requireScope(ctx.actor, "read");
  const before = query.cursor === undefined ? LAST : decodeCursor(z.string(), query.cursor);
  const rows = await sqlOf(ctx).all(OWN, userId, before, query.limit + 1);
  const page = toPage(rows, query.limit, (row) => row.id);
  return { items: await describeCapabilityUrls(ctx, page.items), nextCursor: page.nextCursor };
}

/** Revokes a capability URL of the caller; an admin may revoke any. Its next request is answered 410. */
export async function revokeCapabilityUrl(ctx: Ctx, id: string): Promise<void> {
  const actor = requireTokenManager(ctx.actor);
  await inTransaction(ctx, async (tx, txCtx) => {
    const row = await tx.capabilityUrl.findUnique({ where: { id } });
    const isVisible = row?.userId === actor.userId || hasScope(actor, "admin");
    if (row === null || row.revokedAt !== null || !isVisible) {
      throw new AppError("not_found", `There is no capability URL ${id}.`);
    }
    await tx.capabilityUrl.update({ where: { id }, data: { revokedAt: ctx.now() } });
    await recordEvent(tx, txCtx, {
      action: "capability_url.revoke",
      summary: `revoked the capability URL “${row.name}” (${row.prefix}…)`,
      concerns: row.userId,
      target: { kind: "capability_url", id, name: row.name },
      data: { prefix: row.prefix, userId: row.userId },
    });
  });
}
