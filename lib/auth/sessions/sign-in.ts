import { recordEvent } from "@/lib/audit/record-event";
import { verifyPassword } from "@/lib/auth/people/passwords";
import type { SignInInput } from "@/lib/auth/schema";
import type { PersonActor } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import { sha256Hex } from "@/lib/core/hash";
import type { Ctx, Tx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { startSession } from "./sessions";

/**
 * Starts a session for an active person with this password; null otherwise, after the same work and without a reason.
 * `rate_limited` while the account or address is locked, or too many people sign in at once.
 */
export async function signIn(ctx: Ctx, input: SignInInput): Promise<PersonActor | null> {
  const email = input.email.trim().toLowerCase();
  const attempt = await countAttempt(ctx, email);
  const user = await ctx.db.user.findUnique({ where: { email } });
  const fits = await verify(ctx, attempt, { stored: user?.passwordHash ?? null, password: input.password });
  return inTransaction(ctx, async (tx, txCtx) => {
    // The person may have been disabled during the hashing.
    const now = user && fits ? await tx.user.findUnique({ where: { id: user.id, state: "active" } }) : null;
    if (now === null) {
      await recordFailedSignIn(txCtx, { email, attempt, user });
      return null;
    }
    await uncountAttempt(tx, attempt, "succeeded");
    return startSession(txCtx, now, null);
  });
}

/** Does not count an attempt whose password was not compared because of the hashing limit. */
async function verify(
  ctx: Ctx,
  attempt: Attempt,
  given: { stored: string | null; password: string },
): Promise<boolean> {
  try {
    return await verifyPassword(given.stored, given.password);
  } catch (error) {
    await inTransaction(ctx, (tx) => uncountAttempt(tx, attempt, "not_tried"));
    throw error;
  }
}

type Failure = { email: string; attempt: Attempt; user: { id: string; name: string } | null };

/** Records a failure and a lock. Of the email address only a digest: it may be a password in the wrong field. */
async function recordFailedSignIn(ctx: Ctx, { email, attempt, user }: Failure): Promise<void> {
  const digest = emailDigest(email);
  const target = user ? { target: { kind: "user", id: user.id, name: user.name } } : {};
  await inTransaction(ctx, async (tx) => {
    await recordEvent(tx, ctx, {
      action: "sign_in.fail",
      outcome: "refused",
      summary: "failed to sign in",
      ...target,
      data: { emailDigest: digest },
    });
    if (attempt.account.failures === ACCOUNT_LIMIT) {
      await recordEvent(tx, ctx, {
        action: "sign_in.lock",
        outcome: "refused",
        summary: `caused an account to be locked after ${ACCOUNT_LIMIT} failed sign-ins`,
        ...target,
        data: { emailDigest: digest },
      });
    }
    if (attempt.address?.failures === ADDRESS_LIMIT) {
      await recordEvent(tx, ctx, {
        action: "sign_in.lock",
        outcome: "refused",
        summary: `caused an address to be locked after ${ADDRESS_LIMIT} failed sign-ins`,
        data: { address: ctx.request.address },
      });
    }
  });
}

export const ACCOUNT_LIMIT = 5;
export const ADDRESS_LIMIT = 30;
const LONGEST_LOCK_MS = 15 * 60_000;
const ADDRESS_WINDOW_MS = 15 * 60_000;
const ACCOUNT_WINDOW_MS = 24 * 60 * 60_000;

/** A counted attempt, with the number of failures of account and address. */
export type Attempt = { account: Counted; address: Counted | null };
type Counted = { key: string; failures: number };

/** Digest of an email address for the throttle and the audit log. */
export function emailDigest(email: string): string {
  return sha256Hex(email.trim().toLowerCase());
}

/**
 * Counts an attempt as failed before the password is checked, so that parallel guesses cannot pass the limit. Throws
 * `rate_limited` when the account or address is locked. Unknown accounts count alike.
 */
export async function countAttempt(ctx: Ctx, email: string): Promise<Attempt> {
  const { address } = ctx.request;
  return inTransaction(ctx, async (tx) => {
    const account = await readCounter(tx, ctx.now(), {
      key: `account:${emailDigest(email)}`,
      windowMs: ACCOUNT_WINDOW_MS,
    });
    const origin =
      address === null
        ? null
        : await readCounter(tx, ctx.now(), { key: `address:${address}`, windowMs: ADDRESS_WINDOW_MS });
    await tx.signInThrottle.deleteMany({
      where: { windowStart: { lt: new Date(ctx.now().getTime() - ACCOUNT_WINDOW_MS) } },
    });
    if (origin !== null) {
      const lockMs = origin.windowStart.getTime() + ADDRESS_WINDOW_MS - ctx.now().getTime();
      await addFailure(tx, ctx.now(), { ...origin, lockMs: origin.failures + 1 >= ADDRESS_LIMIT ? lockMs : 0 });
    }
    await addFailure(tx, ctx.now(), { ...account, lockMs: accountLockMs(account.failures + 1) });
    return {
      account: { key: account.key, failures: account.failures + 1 },
      address: origin && { key: origin.key, failures: origin.failures + 1 },
    };
  });
}

/** Uncounts an attempt that succeeded or was not checked. Success also resets the account's failures. */
export async function uncountAttempt(tx: Tx, attempt: Attempt, outcome: "succeeded" | "not_tried"): Promise<void> {
  const back = { failures: { decrement: 1 }, lockedUntil: null };
  if (attempt.address) await tx.signInThrottle.updateMany({ where: { key: attempt.address.key }, data: back });
  const where = { key: attempt.account.key };
  if (outcome === "succeeded") await tx.signInThrottle.deleteMany({ where });
  else await tx.signInThrottle.updateMany({ where, data: back });
}

/** Lock of an account: 1 s after five failures in a row, then doubled, at most 15 minutes. */
function accountLockMs(failures: number): number {
  return failures < ACCOUNT_LIMIT ? 0 : Math.min(1000 * 2 ** (failures - ACCOUNT_LIMIT), LONGEST_LOCK_MS);
}

async function readCounter(tx: Tx, now: Date, { key, windowMs }: { key: string; windowMs: number }) {
  const row = await tx.signInThrottle.findUnique({ where: { key } });
  // A longer lock was set by a fast clock; its failures still count.
  const isAhead = row?.lockedUntil != null && row.lockedUntil.getTime() > now.getTime() + LONGEST_LOCK_MS;
  if (row?.lockedUntil != null && row.lockedUntil > now && !isAhead) throw locked(row.lockedUntil, now);
  const isOver = row === null || row.windowStart.getTime() + windowMs <= now.getTime();
  if (isOver) return { key, failures: 0, windowStart: now };
  return { key, failures: row.failures, windowStart: row.windowStart > now ? now : row.windowStart };
}

async function addFailure(
  tx: Tx,
  now: Date,
  counter: { key: string; failures: number; windowStart: Date; lockMs: number },
): Promise<void> {
  const lockedUntil = counter.lockMs > 0 ? new Date(now.getTime() + counter.lockMs) : null;
  const data = { failures: counter.failures + 1, windowStart: counter.windowStart, lockedUntil };
  await tx.signInThrottle.upsert({ where: { key: counter.key }, create: { key: counter.key, ...data }, update: data });
}

function locked(until: Date, now: Date): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000));
  return new AppError("rate_limited", `Too many failed sign-ins. Try again in ${retryAfterSeconds} s.`, {
    retryAfterSeconds,
  });
}
