import { randomBytes } from "node:crypto";
import { recordEvent } from "@/lib/audit/record-event";
import { requireTokenKeeper } from "@/lib/auth/tokens/require-token-keeper";
import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import { newId } from "@/lib/core/ids";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { findPublisher } from "@/lib/skills/community/publishers";
import { requireSkill } from "@/lib/skills/skill-access";
import { publicAddress } from "../public-address";
import { describeCapabilityUrls } from "./describe-capability-urls";
import { CreateCapabilityUrlInput, type CreatedCapabilityUrl } from "./schema";

const DAY_MS = 24 * 60 * 60_000;
const DEFAULT_DAYS = 90;
const MAX_DAYS = 366;
/** Live ones of one person. */
const MAX_LIVE = 200;
/** So much of a token is shown and stored in clear. */
const PREFIX_CHARACTERS = 10;

/**
 * Makes an address with which programs read skills as the caller would, within one scope: read-only, for at most a year. The
 * token is in this answer and nowhere else. It never covers more than the caller sees, now or later.
 */
export async function createCapabilityUrl(ctx: Ctx, given: CreateCapabilityUrlInput): Promise<CreatedCapabilityUrl> {
  const actor = requireTokenKeeper(ctx.actor);
  const input = CreateCapabilityUrlInput.parse(given);
  const token = `sgc_${randomBytes(32).toString("base64url")}`;
  return inTransaction(ctx, async (tx, txCtx) => {
    await assertRoom(txCtx, actor.userId);
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
    if (shown === undefined) throw new Error("describing one row gave none");
    await recordEvent(tx, txCtx, {
      action: "capability_url.create",
      summary: `made the capability URL “${row.name}” (${row.prefix}…) for ${shown.scope.label}`,
      target: { kind: "capability_url", id: row.id, name: row.name },
      ...(row.scopeKind === "skill" && row.scopeId !== null ? { skillId: row.scopeId } : {}),
      data: { prefix: row.prefix, scope: shown.scope, persona: row.personaId, expiresAt: row.expiresAt },
    });
    return { ...shown, url: publicAddress(`/t/${token}`) };
  });
}

async function assertRoom(ctx: Ctx, userId: string): Promise<void> {
  const live = await ctx.db.capabilityUrl.count({ where: { userId, revokedAt: null, expiresAt: { gt: ctx.now() } } });
  if (live < MAX_LIVE) return;
  throw new AppError("conflict", `You have ${MAX_LIVE} capability URLs; revoke one first.`);
}

/** Never after the token it is made with: a copy of that one's rights would outlive it. */
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

/** The id of what is to be covered, which the caller has to see. */
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
  const { userId } = requireTokenKeeper(ctx.actor);
  const collection = await ctx.db.collection.findFirst({
    where: {
      AND: [{ OR: [{ slug: scope.id }, { id: scope.id }] }, { OR: [{ visibility: "public" }, { ownerId: userId }] }],
    },
  });
  if (collection === null) throw new AppError("not_found", `There is no collection “${scope.id}” that you can see.`);
  return collection.id;
}
