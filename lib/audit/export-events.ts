import { isPerson } from "@/lib/core/actor";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { query } from "@/lib/db/sql";
import { requireScope, seesAll } from "@/lib/policy/require-scope";
import { CHAIN_COLUMNS, EVENT_COLUMNS, readEvents, readSettled, type StoredEvent } from "./chain/chain-events";
import { type Search, searchEvents } from "./index/search-events";
import { searchQueryOf } from "./present-event";
import { recordEvent } from "./record-event";
import type { AuditFilter, ExportAuditQuery } from "./schema";

const BATCH = 500;
export const EXPORT_COLUMNS = [...EVENT_COLUMNS, ...CHAIN_COLUMNS] as const;

const OF_SEQS = query<{ seq: number }>(
  `SELECT ${EXPORT_COLUMNS.map((name) => `"${name}"`).join(", ")} FROM "AuditEvent"
   WHERE "seq" IN (${Array(BATCH).fill("?").join(", ")}) ORDER BY "seq"`,
);

/** The export is recorded as an event first; events that arrive during the export are not included. */
export async function exportEvents(ctx: Ctx, asked: ExportAuditQuery): Promise<AsyncGenerator<string>> {
  const actor = requireScope(ctx.actor, "read");
  const { format, ...filter } = asked;
  const until = await readSettled(ctx);
  await inTransaction(ctx, (tx, txCtx) =>
    recordEvent(tx, txCtx, {
      action: "audit.export",
      summary: `exported the audit log as ${format}`,
      arguments: filter,
      data: { format, upTo: until },
    }),
  );
  const isAll = isPerson(actor) && seesAll(actor) && Object.values(filter).every((value) => value === undefined);
  const batches = isAll
    ? readEvents(ctx.database.readSql, { after: 0, until })
    : findEvents(ctx, await searchEvents(ctx, searchQueryOf(actor, filter satisfies AuditFilter)), until);
  return format === "csv" ? toCsv(batches) : toLines(batches);
}

async function* findEvents(ctx: Ctx, search: Search, until: number): AsyncGenerator<StoredEvent[]> {
  let low = 1;
  while (low <= until) {
    const { rows, reached } = await search.find({ low, high: until }, "newer", BATCH);
    const seqs = rows.map(({ seq }) => seq);
    const places = Array.from({ length: BATCH }, (_, index) => seqs[index] ?? null);
    const found = seqs.length === 0 ? [] : await ctx.database.readSql.all(OF_SEQS, ...places);
    if (found.length > 0) yield found as unknown as StoredEvent[];
    const last = rows.length === BATCH ? seqs.at(-1) : reached;
    if (last === null || last === undefined) return;
    low = last + 1;
  }
}

async function* toLines(batches: AsyncIterable<StoredEvent[]>): AsyncGenerator<string> {
  for await (const rows of batches) yield rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}

async function* toCsv(batches: AsyncIterable<StoredEvent[]>): AsyncGenerator<string> {
  yield `${EXPORT_COLUMNS.join(",")}\r\n`;
  for await (const rows of batches) {
    yield rows.map((row) => `${EXPORT_COLUMNS.map((name) => csvCell(row[name])).join(",")}\r\n`).join("");
  }
}

/** One cell of RFC 4180. A text that a spreadsheet would read as a formula gets a leading apostrophe. */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(value);
  const text = String(value).replaceAll("\0", "");
  const safe = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r]/u.test(text) ? `'${text}` : text;
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
