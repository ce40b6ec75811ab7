import { randomBytes, randomInt } from "node:crypto";
import { z } from "zod";
import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import { newId } from "@/lib/core/ids";
import { parseJsonColumn } from "@/lib/core/json";
import { FIXED_LIMITS, requireFromLimit } from "@/lib/core/take-from-limit";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import type { DeviceLogin as DeviceLoginRow } from "@/lib/db/generated/client";
import { findCaller } from "./people/find-caller";
import { type DeviceCodeInput, type DeviceDecision, DeviceLogin, DeviceScope } from "./schema";
import { createToken, requireTokenManager } from "./tokens/tokens";

const LIFETIME_SECONDS = 15 * 60;
const POLL_SECONDS = 5;
const PER_MINUTE = FIXED_LIMITS.deviceCodes.perMinute;
const MAX_OPEN = 1_000;
/** No vowels, so that codes form no words, and no letters that look alike. */
const LETTERS = "BCDFGHJKLMNPQRSTVWXZ";

export type StartedLogin = { deviceCode: string; userCode: string; expiresIn: number; interval: number };

/**
 * Starts the sign-in of a program without a browser (RFC 8628). Both codes are valid for 15 minutes. `rate_limited`
 * after 20 per minute from one address, `unavailable` while 1,000 are pending.
 */
export async function startDeviceLogin(ctx: Ctx, { scope, label }: DeviceCodeInput): Promise<StartedLogin> {
  const limit = { limit: PER_MINUTE, message: "Too many sign-in requests from your address. Try again in a minute." };
  await requireFromLimit("device-codes", ctx.request.address ?? "", limit);
  const deviceCode = randomBytes(32).toString("base64url");
  const letters = Array.from({ length: 8 }, () => LETTERS[randomInt(LETTERS.length)]).join("");
  const userCode = `${letters.slice(0, 4)}-${letters.slice(4)}`;
  const at = ctx.now();
  await inTransaction(ctx, async (tx, txCtx) => {
    await tx.deviceLogin.deleteMany({ where: { expiresAt: { lte: at } } });
    if ((await tx.deviceLogin.count()) >= MAX_OPEN) {
      throw new AppError("unavailable", "Too many programs are waiting for sign-in. Try again in a minute.", {
        retryAfterSeconds: 60,
      });
    }
    const [id, clientName] = [newId(), nameOf(label)];
    await tx.deviceLogin.create({
      data: {
        id,
        secretHash: sha256Hex(deviceCode),
        userCode,
        clientName,
        scopes: JSON.stringify(scopesOf(scope)),
        address: ctx.request.address,
        createdAt: at,
        expiresAt: new Date(at.getTime() + LIFETIME_SECONDS * 1000),
      },
    });
    await recordEvent(tx, txCtx, {
      action: "device-login.begin",
      summary: `requested a sign-in code for the program “${clientName}”`,
      target: { kind: "device-login", id, name: clientName },
      data: { scopes: scopesOf(scope) },
    });
  });
  return { deviceCode, userCode, expiresIn: LIFETIME_SECONDS, interval: POLL_SECONDS };
}

/** The program's own name, without characters that could imitate another name. */
function nameOf(label: string | undefined): string {
  const text = (label ?? "").replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, " ").trim();
  return text.slice(0, 60) || "CLI device login";
}

function scopesOf(text: string | undefined): DeviceScope[] {
  const asked = (text ?? "").split(/[\s,]+/);
  const scopes = DeviceScope.options.filter((scope) => asked.includes(scope));
  return scopes.length > 0 ? scopes : ["read", "write"];
}

const TRIES_PER_MINUTE = FIXED_LIMITS.deviceTries.perMinute;

/** The program that shows this code, while it is undecided; else `not_found`. */
export async function getDeviceLogin(ctx: Ctx, userCode: string): Promise<DeviceLogin> {
  const row = await requirePendingLogin(ctx, userCode);
  const times = { createdAt: row.createdAt.toISOString(), expiresAt: row.expiresAt.toISOString() };
  return DeviceLogin.parse({ ...row, scopes: JSON.parse(row.scopes), ...times });
}

/** The undecided row; `rate_limited` after too many wrong codes. */
async function requirePendingLogin(ctx: Ctx, userCode: string): Promise<DeviceLoginRow> {
  const { userId } = requireTokenManager(ctx.actor);
  const limit = { limit: TRIES_PER_MINUTE, message: "Too many codes were tried. Try again in a minute." };
  await requireFromLimit("device-tries", userId, limit);
  const row = await ctx.db.deviceLogin.findUnique({ where: { userCode } });
  if (row === null || row.expiresAt <= ctx.now() || row.decidedAt !== null) {
    throw new AppError(
      "not_found",
      "No program is waiting with this code. Check the code, or start the sign-in in the program again.",
    );
  }
  return row;
}

/** Approves or denies the program with this code, as the caller. Its token is created when the program fetches it. */
export async function decideDeviceLogin(ctx: Ctx, userCode: string, { decision }: DeviceDecision): Promise<void> {
  const actor = requireTokenManager(ctx.actor);
  await inTransaction(ctx, async (tx, txCtx) => {
    const row = await requirePendingLogin(txCtx, userCode);
    const approved = decision === "approve";
    await tx.deviceLogin.update({
      where: { id: row.id },
      data: { userId: actor.userId, decidedAt: ctx.now(), approved },
    });
    await recordEvent(tx, txCtx, {
      action: approved ? "device-login.approve" : "device-login.deny",
      summary: approved
        ? `authorised the program “${row.clientName}”`
        : `denied access to the program “${row.clientName}”`,
      target: { kind: "device-login", id: row.id, name: row.clientName },
      decision: approved ? "approve" : "reject",
      data: { address: row.address },
    });
  });
}

const POLLS_PER_MINUTE = FIXED_LIMITS.deviceTokens.perMinute;
const TOLERANCE_MS = 1_000;

/** The answers of RFC 8628, section 3.5. */
export type DeviceTokenAnswer =
  | { token: string; scopes: DeviceScope[] }
  | { error: "authorization_pending" | "slow_down" | "expired_token" | "access_denied" };

/** Answers a polling program. After the approval it gets an ordinary, revocable token of the person, once. */
export async function exchangeDeviceCode(ctx: Ctx, deviceCode: string): Promise<DeviceTokenAnswer> {
  const limit = { limit: POLLS_PER_MINUTE, message: "Too many token requests. Try again in a minute." };
  await requireFromLimit("device-token", ctx.request.address ?? "", limit);
  const at = ctx.now();
  return inTransaction(ctx, async (tx, txCtx): Promise<DeviceTokenAnswer> => {
    const row = await tx.deviceLogin.findUnique({ where: { secretHash: sha256Hex(deviceCode) } });
    if (row === null || row.expiresAt <= at || row.takenAt !== null) return { error: "expired_token" };
    if (row.approved === false) return { error: "access_denied" };
    await tx.deviceLogin.update({ where: { id: row.id }, data: { lastPolledAt: at } });
    const sinceMs = row.lastPolledAt === null ? Number.POSITIVE_INFINITY : at.getTime() - row.lastPolledAt.getTime();
    if (row.approved === null || row.userId === null) {
      return { error: sinceMs < POLL_SECONDS * 1000 - TOLERANCE_MS ? "slow_down" : "authorization_pending" };
    }
    // The person who approved it may be disabled now.
    const actor = await findCaller(txCtx, { userId: row.userId, tokenId: null, sessionId: null });
    if (actor === null) return { error: "access_denied" };
    const scopes = parseJsonColumn(z.array(DeviceScope), row.scopes);
    const created = await createToken({ ...txCtx, actor }, { name: `${row.clientName} (by code)`, scopes });
    await tx.deviceLogin.update({ where: { id: row.id }, data: { takenAt: at } });
    return { token: created.token, scopes };
  });
}
