import { createHmac, type KeyObject } from "node:crypto";
import type { AuditEvent } from "@/lib/db/generated/client";
import { query, type Sql } from "@/lib/db/sql";

const FORMAT = "skillgate-audit-1";

/** The `prevHash` of the first event. */
export const GENESIS = "0".repeat(64);

/** Every column of an event except its two hashes, in hashing order. Part of format 1: never reorder. */
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

export type EventRow = Pick<AuditEvent, EventColumn>;

/** An event as stored or exported. The values are untrusted: they may have been tampered with. */
export type StoredEvent = { readonly [column in EventColumn | "prevHash" | "hash"]: unknown };

/** Columns with times: text, number or `Date`, depending on the source. */
export const MOMENTS: ReadonlySet<string> = new Set<EventColumn>(["at", "startedAt", "finishedAt"]);

const FIELDS = EVENT_COLUMNS.map((name) => ({ name, isMoment: MOMENTS.has(name) }));

/**
 * HMAC-SHA-256, in hex, of an event and the hash before it. The input is the UTF-8 text of a JSON array without spaces: the
 * format's name, `prevHash`, then all `EVENT_COLUMNS` in order, with times as milliseconds since 1970 and missing values as
 * null.
 */
export function hashEvent(key: KeyObject, event: { readonly [column: string]: unknown }, prevHash: unknown): string {
  const values: unknown[] = [FORMAT, prevHash];
  for (const { name, isMoment } of FIELDS) values.push(isMoment ? momentOf(event[name]) : plain(event[name]));
  return createHmac("sha256", key).update(JSON.stringify(values), "utf8").digest("hex");
}

/** An invalid time is hashed as text, so that it differs from a missing one. */
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

export type ChainPosition = { seq: number; hash: string };
type NewestEvent = { seq: number; hash: string | null };
const NEWEST = query<NewestEvent>(`SELECT "seq", "hash" FROM "AuditEvent" ORDER BY "seq" DESC LIMIT 1`);
const LAST_SEALED = query<ChainPosition>(
  `SELECT "toSeq" AS "seq", "lastHash" AS "hash" FROM "AuditSegment" ORDER BY "fromSeq" DESC LIMIT 1`,
);

/** The newest unsealed event. */
export function readNewest(sql: Sql): Promise<NewestEvent | undefined> {
  return sql.get(NEWEST);
}

/** The last sealed event, after which the chain in the database begins. */
export async function readAnchor(sql: Sql): Promise<ChainPosition> {
  return (await sql.get(LAST_SEALED)) ?? { seq: 0, hash: GENESIS };
}

/** Stored events by number in batches: after `after`, up to and including `until`. */
export async function* readEvents(
  sql: Sql,
  { after, until, batch = 500 }: { after: number; until: number; batch?: number },
): AsyncGenerator<StoredEvent[]> {
  // PostgreSQL rejects larger numbers. SQLite may contain them, in rows added by tampering.
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
