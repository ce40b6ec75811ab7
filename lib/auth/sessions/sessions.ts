import { z } from "zod";
import { recordEvent } from "@/lib/audit/record-event";
import type { SessionInfo } from "@/lib/auth/schema";
import { type Actor, Role } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import { newId } from "@/lib/core/ids";
import type { Page, PageQuery } from "@/lib/core/schema";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { decodeCursor, toPage } from "@/lib/db/cursor";
import type { User } from "@/lib/db/generated/client";
import { hasScope, requireScope } from "@/lib/policy/require-scope";
import { SESSION_SECONDS } from "./session-cookie";

/** The signed-in person of a browser; `forbidden` for tokens, which have no session. */
export function requireBrowser(actor: Actor): Extract<Actor, { kind: "user" }> {
  if (actor.kind !== "user") throw new AppError("forbidden", "Only a signed-in browser may call this, not a token.");
  return actor;
}

/** Starts a session of twelve hours for an authenticated person. `how.by` ends the summary of the event. */
export async function startSession(
  ctx: Ctx,
  person: Pick<User, "id" | "name" | "email" | "role">,
  how: { by: string; data: Record<string, unknown> } | null,
) {
  const { id: userId, name, email } = person;
  const actor = { kind: "user", userId, name, email, role: Role.parse(person.role), sessionId: newId() } as const;
  await inTransaction(ctx, async (tx, txCtx) => {
    const at = ctx.now();
    const { userAgent, address } = ctx.request;
    const expiresAt = new Date(at.getTime() + SESSION_SECONDS * 1000);
    await tx.session.create({
      data: { id: actor.sessionId, userId, createdAt: at, lastSeenAt: at, expiresAt, userAgent, address },
    });
    const asThem = { ...txCtx, actor };
    await recordEvent(tx, asThem, {
      action: "session.start",
      summary: how === null ? "signed in" : `signed in with ${how.by}`,
      target: { kind: "session", id: actor.sessionId, name },
      data: { userAgent, ...how?.data },
    });
  });
  return actor;
}

/** The caller's live sessions, newest first. */
export async function listSessions(ctx: Ctx, query: PageQuery): Promise<Page<SessionInfo>> {
  const { actor } = ctx;
  const { userId } = requireScope(actor, "read");
  const rows = await ctx.db.session.findMany({
    where: {
      userId,
      revokedAt: null,
      expiresAt: { gt: ctx.now() },
      ...(query.cursor === undefined ? {} : { id: { lt: decodeCursor(z.string(), query.cursor) } }),
    },
    orderBy: { id: "desc" },
    take: query.limit + 1,
  });
  const present = ({ id, createdAt, lastSeenAt, userAgent, address }: (typeof rows)[number]) => ({
    id,
    current: actor.kind === "user" && actor.sessionId === id,
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    userAgent,
    address,
  });
  return toPage(rows, query.limit, (row) => row.id, present);
}

/** Ends a session: an own one, or any for admins. Its next request is anonymous. */
export async function revokeSession(ctx: Ctx, id: string): Promise<void> {
  const actor = requireScope(ctx.actor, "write");
  await inTransaction(ctx, async (tx, txCtx) => {
    const session = await tx.session.findUnique({ where: { id }, include: { user: true } });
    const isVisible = session?.userId === actor.userId || hasScope(actor, "admin");
    if (session === null || !isVisible || session.revokedAt !== null) {
      throw new AppError("not_found", `There is no session ${id}.`);
    }
    await tx.session.update({ where: { id }, data: { revokedAt: ctx.now() } });
    await recordEvent(tx, txCtx, {
      action: "session.revoke",
      summary: `ended a session of ${session.user.name}`,
      target: { kind: "session", id, name: session.user.name },
      data: { userId: session.userId },
    });
  });
}

/** Ends all sessions of the signed-in person, including this one. Browsers only: tokens have no session. */
export async function signOutEverywhere(ctx: Ctx): Promise<{ revoked: number }> {
  if (ctx.actor.kind === "anonymous") throw new AppError("unauthenticated", "Sign in first.");
  const actor = requireBrowser(ctx.actor);
  return inTransaction(ctx, async (tx, txCtx) => {
    const { count } = await tx.session.updateMany({
      where: { userId: actor.userId, revokedAt: null, expiresAt: { gt: ctx.now() } },
      data: { revokedAt: ctx.now() },
    });
    await recordEvent(tx, txCtx, {
      action: "session.revoke_all",
      summary: "signed out everywhere",
      target: { kind: "user", id: actor.userId, name: actor.name },
      data: { sessions: count },
    });
    return { revoked: count };
  });
}
