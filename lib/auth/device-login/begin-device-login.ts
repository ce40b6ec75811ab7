import { randomBytes, randomInt } from "node:crypto";
import { recordEvent } from "@/lib/audit/record-event";
import { AppError } from "@/lib/core/errors";
import { FIXED_LIMITS } from "@/lib/core/fixed-limits";
import { sha256Hex } from "@/lib/core/hash";
import { newId } from "@/lib/core/ids";
import { limitFields, takeFromLimit } from "@/lib/core/take-from-limit";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { type DeviceCodeInput, DeviceScope } from "./schema";

const LIFETIME_SECONDS = 15 * 60;
export const POLL_SECONDS = 5;
const PER_MINUTE = FIXED_LIMITS.deviceCodes.perMinute;
const MAX_OPEN = 1_000;
/** No vowels, so that no word comes of it, and nothing that looks like something else. */
const LETTERS = "BCDFGHJKLMNPQRSTVWXZ";

export type BegunLogin = { deviceCode: string; userCode: string; expiresIn: number; interval: number };

/**
 * Begins to sign in a program that has no browser (RFC 8628): it shows the short code, a person types that in on a page, and
 * the program fetches a token with the long one. Both work for 15 minutes. `rate_limited` after 20 in a minute from one
 * address, `unavailable` when a thousand wait already.
 */
export async function beginDeviceLogin(ctx: Ctx, { scope, label }: DeviceCodeInput): Promise<BegunLogin> {
  const taken = await takeFromLimit("device-codes", ctx.request.address ?? "", PER_MINUTE);
  if (!taken.allowed) {
    const message = "Too many programs ask to be signed in from your address.";
    throw new AppError("rate_limited", message, {
      retryAfterSeconds: taken.resetSeconds,
      headers: limitFields(taken),
    });
  }
  const deviceCode = randomBytes(32).toString("base64url");
  const letters = Array.from({ length: 8 }, () => LETTERS[randomInt(LETTERS.length)]).join("");
  const userCode = `${letters.slice(0, 4)}-${letters.slice(4)}`;
  const at = ctx.now();
  await inTransaction(ctx, async (tx, txCtx) => {
    await tx.deviceLogin.deleteMany({ where: { expiresAt: { lte: at } } });
    if ((await tx.deviceLogin.count()) >= MAX_OPEN) {
      throw new AppError("unavailable", "Too many programs wait to be signed in.", { retryAfterSeconds: 60 });
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
      summary: `asked to sign the program “${clientName}” in by a code`,
      target: { kind: "device-login", id, name: clientName },
      data: { scopes: scopesOf(scope) },
    });
  });
  return { deviceCode, userCode, expiresIn: LIFETIME_SECONDS, interval: POLL_SECONDS };
}

/** What it calls itself, without what could make one name look like another. */
function nameOf(label: string | undefined): string {
  const text = (label ?? "").replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, " ").trim();
  return text.slice(0, 60) || "CLI device login";
}

function scopesOf(text: string | undefined): DeviceScope[] {
  const asked = (text ?? "").split(/[\s,]+/);
  const scopes = DeviceScope.options.filter((scope) => asked.includes(scope));
  return scopes.length > 0 ? scopes : ["read", "write"];
}
