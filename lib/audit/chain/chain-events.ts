import { createHmac, type KeyObject } from "node:crypto";
import type { Ctx } from "@/lib/db/context";
import type { AuditEvent } from "@/lib/db/generated/client";
import { query, type Sql, sqlOf } from "@/lib/db/sql";

/** Format of the events of the first chain whose number is their place; others have the second. */
const FORMAT = "skillgate-audit-1";
const FORMAT_OF_CHAINS = "skillgate-audit-2";

/** The `prevHash` of the first event of each chain. */
export const GENESIS = "0".repeat(64);

/** Every column of an event except chain, place and hashes, in hashing order. Part of both formats: never reorder. */
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

/** What an event has besides: the chain that it extends, its place there (null: its number), and the hashes. */
export const CHAIN_COLUMNS = ["chain", "place", "prevHash", "hash"] as const satisfies readonly (keyof AuditEvent)[];

/** An event as stored or exported. The values are untrusted: they may have been tampered with. */
export type StoredEvent = { readonly [column in EventColumn | "prevHash" | "hash"]: unknown } & {
  /** Missing in exports and segments of earlier releases. */
  readonly chain?: unknown;
  readonly place?: unknown;
};

/** The first chain, and the only one on SQLite. */
export const FIRST_CHAIN = 1;

/** Chain and place of an event; the place is its number unless stored. Either is NaN for a value of the wrong type. */
export function placeOf({ seq, chain, place }: { readonly [column: string]: unknown }): {
  chain: number;
  place: number;
} {
  return { chain: numberOr(chain, FIRST_CHAIN), place: numberOr(place, seq) };
}

function numberOr(value: unknown, otherwise: unknown): number {
  const given = value ?? otherwise;
  return typeof given === "number" ? given : Number.NaN;
}

/** Columns with times: text, number or `Date`, depending on the source. */
export const MOMENTS: ReadonlySet<string> = new Set<EventColumn>(["at", "startedAt", "finishedAt"]);

const FIELDS = EVENT_COLUMNS.map((name) => ({ name, isMoment: MOMENTS.has(name) }));

/**
 * HMAC-SHA-256, in hex, of an event and the hash before it in its chain. The input is the UTF-8 text of a JSON array without
 * spaces: the format's name, `prevHash`, then all `EVENT_COLUMNS` in order, with times as milliseconds since 1970 and
 * missing values as null. Format 2 has chain and place before `prevHash`; in format 1 they are 1 and the number.
 */
export function hashEvent(key: KeyObject, event: { readonly [column: string]: unknown }, prevHash: unknown): string {
  const { chain, place } = placeOf(event);
  const isFirst = chain === FIRST_CHAIN && place === event.seq;
  const values: unknown[] = isFirst ? [FORMAT, prevHash] : [FORMAT_OF_CHAINS, plain(chain), plain(place), prevHash];
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

const COLUMNS = [...EVENT_COLUMNS, ...CHAIN_COLUMNS].map((name) => `"${name}"`).join(", ");
const AFTER = query<{ seq: number }>(
  `SELECT ${COLUMNS} FROM "AuditEvent" WHERE "seq" > ? AND "seq" <= ? ORDER BY "seq" LIMIT ?`,
);

/** An event in its chain. */
export type ChainPosition = { chain: number; place: number; hash: string };
type NewestEvent = { seq: number; hash: string | null };
const NEWEST = query<NewestEvent>(`SELECT "seq", "hash" FROM "AuditEvent" ORDER BY "seq" DESC LIMIT 1`);

export type Chain = {
  chain: number;
  /** The newest event. The hash is null only until older events are chained. */
  place: number;
  seq: number;
  hash: string | null;
  /** The last sealed event, after which the chain in the database begins. */
  sealedPlace: number;
  sealedHash: string;
};
const CHAINS = query<Chain>(
  `SELECT "chain", "place", "seq", "hash", "sealedPlace", "sealedHash" FROM "AuditChain" ORDER BY "chain"`,
);

/** The newest unsealed event. */
export function readNewest(sql: Sql): Promise<NewestEvent | undefined> {
  return sql.get(NEWEST);
}

/**
 * Number of the newest event, once all events before it are visible: another process may take a number and commit later.
 * Within a transaction it does not wait for that.
 */
export async function readSettled(ctx: Pick<Ctx, "database" | "tx">): Promise<number> {
  const seq = (await readNewest(sqlOf(ctx)))?.seq ?? 0;
  if (ctx.tx === undefined) await ctx.database.settle();
  return seq;
}

export function readChains(sql: Sql): Promise<Chain[]> {
  return sql.all(CHAINS);
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
