import { z } from "zod";
import { recordEvent } from "@/lib/audit/record-event";
import { type PatchUserInput, User } from "@/lib/auth/schema";
import { AppError } from "@/lib/core/errors";
import type { Page, PageQuery } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import type { User as UserRow } from "@/lib/db/generated/client";
import { requireScope } from "@/lib/policy/require-scope";

/** Formats a person for the API. */
export function describeUser(row: UserRow, lastSeenAt: Date | null): User {
  const times = { createdAt: row.createdAt.toISOString(), lastSeenAt: lastSeenAt?.toISOString() ?? null };
  return User.parse({ ...row, ...times });
}

async function lastSeenOf(ctx: Ctx, userIds: string[]): Promise<Map<string, Date>> {
  const where = { userId: { in: userIds } };
  const sessions = await ctx.db.session.groupBy({ by: ["userId"], where, _max: { lastSeenAt: true } });
  const tokens = await ctx.db.apiToken.groupBy({ by: ["userId"], where, _max: { lastUsedAt: true } });
  const latest = new Map<string, Date>();
  const seen = [
    ...sessions.map((row) => ({ userId: row.userId, at: row._max.lastSeenAt })),
    ...tokens.map((row) => ({ userId: row.userId, at: row._max.lastUsedAt })),
  ];
  for (const { userId, at } of seen) {
    const known = latest.get(userId);
    if (at !== null && (known === undefined || known < at)) latest.set(userId, at);
  }
  return latest;
}

export async function getUser(ctx: Ctx, id: string): Promise<User> {
  requireScope(ctx.actor, "admin");
  const row = await getUserRow(ctx, id);
  return describeUser(row, (await lastSeenOf(ctx, [id])).get(id) ?? null);
}

/** A person's row, without an access check. */
export async function getUserRow(ctx: Ctx, id: string): Promise<UserRow> {
  const row = await ctx.db.user.findUnique({ where: { id } });
  if (row === null) throw new AppError("not_found", `There is no person ${id}.`);
  return row;
}

/** All people, oldest first. */
export async function listUsers(ctx: Ctx, query: PageQuery): Promise<Page<User>> {
  requireScope(ctx.actor, "admin");
  const rows = await ctx.db.user.findMany({
    where: query.cursor === undefined ? {} : { id: { gt: decodeCursor(z.string(), query.cursor) } },
    orderBy: { id: "asc" },
    take: query.limit + 1,
  });
  const ids = rows.map((row) => row.id);
  const seen = await lastSeenOf(ctx, ids);
  const present = (row: UserRow) => describeUser(row, seen.get(row.id) ?? null);
  return toPage(rows, query.limit, (row) => row.id, present);
}

async function assertNotLastAdmin(ctx: Ctx, person: { id: string; role: string; state: string }): Promise<void> {
  if (person.role !== "admin" || person.state !== "active") return;
  const others = await ctx.db.user.count({ where: { role: "admin", state: "active", id: { not: person.id } } });
  if (others === 0) {
    throw new AppError("conflict", "This is the last active admin. Make another person admin first.");
  }
}

/** Ends a person's sessions and invitation links; with `tokens`, also revokes their API tokens. */
async function endAccess(ctx: Ctx, { userId, tokens }: { userId: string; tokens: boolean }): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const at = ctx.now();
    await tx.session.updateMany({ where: { userId, revokedAt: null }, data: { revokedAt: at } });
    await tx.oneTimeToken.updateMany({ where: { userId, usedAt: null }, data: { usedAt: at } });
    if (tokens) await tx.apiToken.updateMany({ where: { userId, revokedAt: null }, data: { revokedAt: at } });
  });
}

/**
 * Changes a person's name, role or state, from their next request on. Disabling ends their sessions and suspends their
 * tokens. The last active admin cannot be removed.
 */
export async function updateUser(ctx: Ctx, { id, patch }: { id: string; patch: PatchUserInput }): Promise<User> {
  requireScope(ctx.actor, "admin");
  return inTransaction(ctx, async (tx, txCtx) => {
    const before = await getUserRow(txCtx, id);
    const changes = Object.entries(patch).filter(([key, value]) => before[key as keyof PatchUserInput] !== value);
    if (changes.length === 0) return getUser(txCtx, id);
    assertCanBecomeActive(before, patch);
    const staysAdmin = (patch.role ?? before.role) === "admin" && (patch.state ?? before.state) === "active";
    if (!staysAdmin) await assertNotLastAdmin(txCtx, before);
    await tx.user.update({ where: { id }, data: { ...Object.fromEntries(changes), updatedAt: ctx.now() } });
    if (patch.state === "disabled") await endAccess(txCtx, { userId: id, tokens: false });
    await recordEvent(tx, txCtx, {
      action: "user.update",
      summary: `changed ${before.name}: ${changes.map(([key, value]) => `${key} to ${value}`).join(", ")}`,
      target: { kind: "user", id, name: before.name },
      data: {
        before: Object.fromEntries(changes.map(([key]) => [key, before[key as keyof PatchUserInput]])),
        after: Object.fromEntries(changes),
      },
    });
    return getUser(txCtx, id);
  });
}

function assertCanBecomeActive(before: UserRow, patch: PatchUserInput): void {
  if (patch.state !== "active" || before.passwordHash !== null) return;
  throw new AppError("conflict", `${before.name} has not set a password. Create a new invitation link instead.`);
}

/** Disables a person and revokes sessions, tokens, invitations, connected sign-ins and SSH keys. Audit events stay. */
export async function deleteUser(ctx: Ctx, id: string): Promise<void> {
  requireScope(ctx.actor, "admin");
  await inTransaction(ctx, async (tx, txCtx) => {
    const user = await getUserRow(txCtx, id);
    await assertNotLastAdmin(txCtx, user);
    await tx.user.update({ where: { id }, data: { state: "disabled", updatedAt: ctx.now() } });
    await endAccess(txCtx, { userId: id, tokens: true });
    await tx.savedView.deleteMany({ where: { userId: id } });
    await tx.connectedSignIn.deleteMany({ where: { userId: id } });
    await tx.sshKey.deleteMany({ where: { userId: id } });
    await recordEvent(tx, txCtx, {
      action: "user.delete",
      summary: `removed ${user.name}`,
      target: { kind: "user", id, name: user.name },
      data: { email: user.email, role: user.role },
    });
  });
}
