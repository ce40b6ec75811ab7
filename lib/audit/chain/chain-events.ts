import { createHmac, type KeyObject } from "node:crypto";
import type { AuditEvent } from "@/lib/db/generated/client";
import { query, type Sql } from "@/lib/db/sql";

const FORMAT = "skillgate-audit-1";

/** What stands where the hash of an event before the first would. */
export const GENESIS = "0".repeat(64);

/** Every column of an event but its two hashes, in the order in which they are hashed. Part of format 1: never reordered. */
export const EVENT_COLUMNS = [
  "seq",
  "at",
  "actorKind",
  "actorId",
  "actorName",
  "actorRole",
  "callerKind",
  "onBehalfOfId",
  "onBehalfOfName",
  "concernsId",
  "action",
  "outcome",
  "count",
  "decision",
  "rule",
  "approvers",
  "targetKind",
  "targetId",
  "targetName",
  "skillId",
  "versionDigest",
  "runId",
  "tool",
  "class",
  "sessionId",
  "device",
  "address",
  "requestId",
  "traceId",
  "summary",
  "arguments",
  "result",
  "error",
  "startedAt",
  "finishedAt",
  "durationMs",
  "data",
] as const satisfies readonly (keyof AuditEvent)[];

export type EventColumn = (typeof EVENT_COLUMNS)[number];

/** An event before it is chained. */
export type EventRow = Pick<AuditEvent, EventColumn>;

/** As it stands in the database or in an exported file: whoever changed it may have put anything anywhere. */
export type StoredEvent = { readonly [column in EventColumn | "prevHash" | "hash"]: unknown };

/** The columns that are moments: text, number or `Date`, whichever the source has. */
export const MOMENTS: ReadonlySet<string> = new Set<EventColumn>(["at", "startedAt", "finishedAt"]);

const FIELDS = EVENT_COLUMNS.map((name) => ({ name, isMoment: MOMENTS.has(name) }));

/**
 * HMAC-SHA-256, in hex, of an event and the hash before it. Hashed is the UTF-8 text of one JSON array without spaces: the
 * format's name, `prevHash`, then every column of `EVENT_COLUMNS` in that order, moments as milliseconds since 1970 and what
 * is missing as null.
 */
export function hashEvent(key: KeyObject, event: { readonly [column: string]: unknown }, prevHash: unknown): string {
  const values: unknown[] = [FORMAT, prevHash];
  for (const { name, isMoment } of FIELDS) values.push(isMoment ? momentOf(event[name]) : plain(event[name]));
  return createHmac("sha256", key).update(JSON.stringify(values), "utf8").digest("hex");
}

/** What is no moment stays as it is: it must not look like one that is missing. */
function momentOf(value: unknown): unknown {
  if (value === null || value === undefined) return null;
  const time = value instanceof Date ? value.getTime() : typeof value === "string" ? Date.parse(value) : value;
  return typeof time === "number" && Number.isFinite(time) ? time : String(value);
}

/** JSON would write these numbers as null. */
function plain(value: unknown): unknown {
  if (value === undefined) return null;
  return typeof value === "number" && !Number.isFinite(value) ? String(value) : value;
}

const COLUMNS = [...EVENT_COLUMNS, "prevHash", "hash"].map((name) => `"${name}"`).join(", ");
const AFTER = query<{ seq: number }>(
  `SELECT ${COLUMNS} FROM "AuditEvent" WHERE "seq" > ? AND "seq" <= ? ORDER BY "seq" LIMIT ?`,
);

type Place = { seq: number; hash: string | null };
const NEWEST = query<Place>(`SELECT "seq", "hash" FROM "AuditEvent" ORDER BY "seq" DESC LIMIT 1`);
const LAST_SEALED = query<{ seq: number; hash: string }>(
  `SELECT "toSeq" AS "seq", "lastHash" AS "hash" FROM "AuditSegment" ORDER BY "fromSeq" DESC LIMIT 1`,
);

/** The newest event that is not sealed. */
export function readNewest(sql: Sql): Promise<Place | undefined> {
  return sql.get(NEWEST);
}

/** Where the sealed events end, and the chain of the others begins. */
export async function readAnchor(sql: Sql): Promise<{ seq: number; hash: string }> {
  return (await sql.get(LAST_SEALED)) ?? { seq: 0, hash: GENESIS };
}

/** What stands in the database, as it stands there, in batches by number: after `after`, up to `until`. */
export async function* readEvents(
  sql: Sql,
  { after, until, batch = 500 }: { after: number; until: number; batch?: number },
): AsyncGenerator<StoredEvent[]> {
  // A column of PostgreSQL reaches no further; one of SQLite does, and so do rows that somebody put there.
  const most = sql.dialect === "postgresql" ? 2 ** 31 - 1 : Number.MAX_SAFE_INTEGER;
  let position = Math.max(after, -most);
  for (;;) {
    const rows = await sql.all(AFTER, position, Math.min(until, most), batch);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows as unknown as StoredEvent[];
    if (rows.length < batch) return;
    position = last.seq;
  }
}
