import { z } from "zod";
import type { PersonActor } from "@/lib/core/actor";
import { AppError } from "@/lib/core/errors";
import type { Ctx } from "@/lib/db/context";
import { decodeCursor, encodeCursor } from "@/lib/db/cursor";
import type { AuditEvent as AuditRow, Prisma } from "@/lib/db/generated/client";
import { type Dialect, jsonList, query, sqlOf } from "@/lib/db/sql";
import { requireScope, seesAll } from "@/lib/policy/require-scope";
import { JsonObject } from "@/lib/skill-format/schema";
import { readSettled } from "./chain/chain-events";
import { verifyEvent } from "./chain/verify-chain";
import { type Search, searchEvents } from "./index/search-events";
import { presentEvent, searchQueryOf } from "./present-event";
import type { AuditDetail, AuditEvent, AuditPage, ListAuditQuery } from "./schema";

const Position = z.union([
  z.object({ before: z.number().int() }).strict(),
  z.object({ after: z.number().int() }).strict(),
]);
/** The highest number of an event. */
const LAST = 2 ** 31 - 1;

/** Events that the caller may see, newest first: from a cursor, the newest event, or around an event or time. */
export async function listEvents(ctx: Ctx, query: ListAuditQuery): Promise<AuditPage> {
  const actor = requireScope(ctx.actor, "read");
  // Read first: events that are written during the search are newer, and none will appear before this one.
  const end = await readSettled(ctx);
  const search = await searchEvents(ctx, searchQueryOf(actor, query));
  const position = query.cursor === undefined ? null : decodeCursor(Position, query.cursor);
  if (position !== null && "after" in position)
    return newerThan(ctx, search, { after: position.after, end }, query.limit);
  if (position !== null)
    return olderThan(ctx, search, { before: position.before, end: position.before - 1 }, query.limit);
  if (query.around === undefined) return olderThan(ctx, search, { before: end + 1, end }, query.limit);
  return around(ctx, search, { middle: await middleOf(ctx, query.around), end }, query.limit);
}

/** The events that a person may see, for reads of a short time that need no index. */
export function eventsVisibleTo(actor: PersonActor): Prisma.AuditEventWhereInput {
  return seesAll(actor) ? {} : { OR: [{ actorId: actor.userId }, { concernsId: actor.userId }] };
}

type Start = { before: number; end: number };

async function olderThan(ctx: Ctx, search: Search, { before, end }: Start, limit: number): Promise<AuditPage> {
  const { rows, reached } = await search.find({ low: 1, high: before - 1 }, "older", limit + 1);
  const seqs = rows.slice(0, limit).map(({ seq }) => seq);
  const hasMore = rows.length > limit;
  const next = hasMore ? (seqs.at(-1) ?? null) : reached;
  const top = seqs[0] ?? end;
  return {
    items: await read(ctx, seqs),
    nextCursor: next === null ? null : encodeCursor({ before: next }),
    prevCursor: encodeCursor({ after: top }),
    searchedTo: hasMore || reached === null ? null : await timeOf(ctx, reached),
  };
}

/** The events directly after `after`, so that following the cursor skips none. */
async function newerThan(
  ctx: Ctx,
  search: Search,
  { after, end }: { after: number; end: number },
  limit: number,
): Promise<AuditPage> {
  const { rows, reached } = await search.find({ low: after + 1, high: end }, "newer", limit);
  const seqs = rows.map(({ seq }) => seq).reverse();
  const upTo = rows.length === limit ? (seqs[0] ?? after) : (reached ?? seqs[0] ?? after);
  return {
    items: await read(ctx, seqs),
    nextCursor: encodeCursor({ before: seqs.at(-1) ?? after + 1 }),
    prevCursor: encodeCursor({ after: upTo }),
    searchedTo: null,
  };
}

type Middle = { middle: number; end: number };

async function around(ctx: Ctx, search: Search, { middle, end }: Middle, limit: number): Promise<AuditPage> {
  const half = Math.floor(limit / 2);
  const newer = await newerThan(ctx, search, { after: middle, end }, half);
  const older = await olderThan(ctx, search, { before: middle + 1, end: middle }, limit - newer.items.length);
  return { ...older, items: [...newer.items, ...older.items], prevCursor: newer.prevCursor };
}

async function middleOf(ctx: Ctx, place: number | string): Promise<number> {
  if (typeof place === "number") return place;
  const row = await sqlOf(ctx).get(BEFORE, new Date(place));
  return row?.seq ?? 0;
}

const BEFORE = query<{ seq: number }>(`SELECT "seq" FROM "AuditEvent" WHERE "at" <= ? ORDER BY "at" DESC LIMIT 1`);
const TIME = query<{ at: Date }>(`SELECT "at" FROM "AuditEvent" WHERE "seq" = ?`, { at: "date" });
const TIMES = { at: "date", startedAt: "date", finishedAt: "date" } as const;
const ROW = query<AuditRow>(`SELECT * FROM "AuditEvent" WHERE "seq" = ?`, TIMES);
const rowsOf = (dialect: Dialect) =>
  `SELECT * FROM "AuditEvent" WHERE "seq" IN ${jsonList(dialect, "number")} ORDER BY "seq" DESC`;
const ROWS = query<AuditRow>({ sqlite: rowsOf("sqlite"), postgresql: rowsOf("postgresql") }, TIMES);

async function timeOf(ctx: Ctx, seq: number): Promise<string | null> {
  return (await sqlOf(ctx).get(TIME, seq))?.at.toISOString() ?? null;
}

async function read(ctx: Ctx, seqs: number[]): Promise<AuditEvent[]> {
  const rows = await sqlOf(ctx).all(ROWS, JSON.stringify(seqs));
  return rows.map(presentEvent);
}

/** One event; `not_found` also when the caller may not see it. Links lead only to objects that still exist. */
export async function getEvent(ctx: Ctx, seq: number): Promise<AuditDetail> {
  const actor = requireScope(ctx.actor, "read");
  const row = await sqlOf(ctx).get(ROW, seq);
  const isOwn = row !== undefined && (row.actorId === actor.userId || row.concernsId === actor.userId);
  if (row === undefined || !(isOwn || seesAll(actor))) throw new AppError("not_found", "There is no such event.");
  const event = presentEvent(row);
  const search = await searchEvents(ctx, searchQueryOf(actor, {}));
  const beside = async (span: { low: number; high: number }, direction: "older" | "newer") =>
    (await search.find(span, direction, 1)).rows[0]?.seq ?? null;
  return {
    event,
    verified: await verifyEvent(ctx, seq),
    before: objectOf(event.data.before),
    after: objectOf(event.data.after),
    older: await beside({ low: 1, high: seq - 1 }, "older"),
    newer: await beside({ low: seq + 1, high: LAST }, "newer"),
    links: await linksOf(ctx, row),
  };
}

async function linksOf(ctx: Ctx, row: AuditRow): Promise<AuditDetail["links"]> {
  const skill = row.skillId === null ? null : await ctx.db.skill.findUnique({ where: { id: row.skillId } });
  const isThere = skill !== null && skill.deletedAt === null;
  const version =
    isThere && row.versionDigest !== null
      ? await ctx.db.version.findFirst({
          where: { skillId: skill.id, digest: row.versionDigest },
          select: { id: true },
        })
      : null;
  const run =
    row.runId === null
      ? null
      : await ctx.db.run.findUnique({ where: { id: row.runId }, select: { id: true, signatures: true } });
  return {
    skill: isThere ? `/skills/${skill.id}` : null,
    version: version === null || skill === null ? null : `/reviews/${skill.id}/${row.versionDigest}`,
    run: run === null ? null : `/runs/${run.id}`,
    approval: run === null || run.signatures === null ? null : `/approvals?show=all&run=${run.id}`,
    session: row.sessionId === null ? null : `/audit?session=${row.sessionId}`,
  };
}

function objectOf(value: unknown): Record<string, unknown> | null {
  const parsed = JsonObject.safeParse(value);
  return parsed.success ? parsed.data : null;
}
