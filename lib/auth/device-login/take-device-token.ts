import { z } from "zod";
import { POLL_SECONDS } from "@/lib/auth/device-login";
import { DeviceScope } from "@/lib/auth/schema";
import { AppError } from "@/lib/core/errors";
import { FIXED_LIMITS } from "@/lib/core/fixed-limits";
import { sha256Hex } from "@/lib/core/hash";
import { parseJsonColumn } from "@/lib/core/json";
import { limitFields, takeFromLimit } from "@/lib/core/take-from-limit";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { findCaller } from "../people/find-caller";
import { createToken } from "../tokens/tokens";

const PER_MINUTE = FIXED_LIMITS.deviceTokens.perMinute;
/** Clocks and timers are not exact. */
const TOLERANCE_MS = 1_000;

/** The answers of RFC 8628, section 3.5. */
export type DeviceTokenAnswer =
  | { token: string; scopes: DeviceScope[] }
  | { error: "authorization_pending" | "slow_down" | "expired_token" | "access_denied" };

/**
 * What a program hears that asks for its token. Once the person has let it in, an ordinary token of theirs with the scopes
 * that were shown to them, made now and handed out once; it is listed and revoked like any other.
 */
export async function takeDeviceToken(ctx: Ctx, deviceCode: string): Promise<DeviceTokenAnswer> {
  const taken = await takeFromLimit("device-token", ctx.request.address ?? "", PER_MINUTE);
  if (!taken.allowed) {
    throw new AppError("rate_limited", "Too many tokens are asked for.", {
      retryAfterSeconds: taken.resetSeconds,
      headers: limitFields(taken),
    });
  }
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
    // Whoever let it in may have been disabled since.
    const actor = await findCaller(txCtx, { userId: row.userId, tokenId: null, sessionId: null });
    if (actor === null) return { error: "access_denied" };
    const scopes = parseJsonColumn(z.array(DeviceScope), row.scopes);
    const created = await createToken({ ...txCtx, actor }, { name: `${row.clientName} (by code)`, scopes });
    await tx.deviceLogin.update({ where: { id: row.id }, data: { takenAt: at } });
    return { token: created.token, scopes };
  });
}
