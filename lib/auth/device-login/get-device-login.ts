import { z } from "zod";
import { AppError } from "@/lib/core/errors";
import { FIXED_LIMITS } from "@/lib/core/fixed-limits";
import { parseJsonColumn } from "@/lib/core/json";
import { limitFields, takeFromLimit } from "@/lib/core/take-from-limit";
import type { Ctx } from "@/lib/db/context";
import type { DeviceLogin as DeviceLoginRow } from "@/lib/db/generated/client";
import { requireTokenKeeper } from "../tokens/require-token-keeper";
import { type DeviceLogin, DeviceScope } from "./schema";

/** Codes one person may try in a minute. */
const TRIES_PER_MINUTE = FIXED_LIMITS.deviceTries.perMinute;

/** The program that shows this code, while it waits for an answer; else `not_found`. */
export async function getDeviceLogin(ctx: Ctx, userCode: string): Promise<DeviceLogin> {
  const row = await requireWaiting(ctx, userCode);
  return {
    userCode: row.userCode,
    clientName: row.clientName,
    scopes: parseJsonColumn(z.array(DeviceScope), row.scopes),
    address: row.address,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  };
}

/** The row itself, within a transaction when there is one. `rate_limited` for who guesses. */
export async function requireWaiting(ctx: Ctx, userCode: string): Promise<DeviceLoginRow> {
  const { userId } = requireTokenKeeper(ctx.actor);
  const taken = await takeFromLimit("device-tries", userId, TRIES_PER_MINUTE);
  if (!taken.allowed) {
    throw new AppError("rate_limited", "Too many codes were tried.", {
      retryAfterSeconds: taken.resetSeconds,
      headers: limitFields(taken),
    });
  }
  const row = await ctx.db.deviceLogin.findUnique({ where: { userCode } });
  if (row === null || row.expiresAt <= ctx.now() || row.decidedAt !== null) {
    throw new AppError(
      "not_found",
      "No program waits with this code. Look at the code again, or start the program anew.",
    );
  }
  return row;
}
