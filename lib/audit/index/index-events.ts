import { readSettled } from "@/lib/audit/chain/chain-events";
import { addTerms, addToIndex, type HourCount, type IndexTerm, termKey } from "@/lib/db/audit-index";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { query, type Sql, sqlOf } from "@/lib/db/sql";
import { type IndexedRow, isCounted, isListed, ROWS_AFTER, termsOf } from "./terms-of";

/** Events per transaction: about 10 ms, for which runs may have to wait. */
const BATCH = 500;
const BATCHES_PER_READ = 6;
/** From this backlog on, transactions are larger: each one rewrites most of the index, which dominates the cost. */
const BACKLOG = 10_000;
const BATCH_OF_BACKLOG = 2_000;

export const INDEXED = query<{ seq: number }>(`SELECT "seq" FROM "AuditIndexed" WHERE "id" = 1`);
const SET_INDEXED = query(
  `INSERT INTO "AuditIndexed" ("id", "seq") VALUES (1, ?) ON CONFLICT ("id") DO UPDATE SET "seq" = excluded."seq"`,
);
const NEWEST = query<{ seq: number | null }>(`SELECT max("seq") AS "seq" FROM "AuditEvent"`);

/** Adds at most 3,000 new events to the index: terms, hourly counts, words. Returns whether it is complete. */
export async function indexEvents(ctx: Ctx): Promise<boolean> {
  for (let batch = 0; batch < BATCHES_PER_READ; batch += 1) {
    if ((await pendingEvents(ctx)) === 0) return true;
    await addBatch(ctx, BATCH);
  }
  return (await pendingEvents(ctx)) === 0;
}

export async function indexAllEvents(ctx: Ctx): Promise<number> {
  const first = await pendingEvents(ctx);
  for (let pending = first; pending > 0; pending = await pendingEvents(ctx)) {
    await addBatch(ctx, pending < BACKLOG ? BATCH : BATCH_OF_BACKLOG);
  }
  return first;
}

async function pendingEvents(ctx: Ctx): Promise<number> {
  const sql = sqlOf(ctx);
  const newest = (await sql.get(NEWEST))?.seq ?? 0;
  return Math.max(0, newest - ((await sql.get(INDEXED))?.seq ?? 0));
}

/** Only up to a number below which no event can appear any more: the index continues after the last one. */
async function addBatch(ctx: Ctx, size: number): Promise<void> {
  const until = await readSettled(ctx);
  await inTransaction(ctx, () => indexBatch(ctx.database.writeSql, { size, until }));
}

async function indexBatch(sql: Sql, { size, until }: { size: number; until: number }): Promise<void> {
  const from = (await sql.get(INDEXED))?.seq ?? 0;
  const rows = (await sql.all(ROWS_AFTER, from, size)).filter(({ seq }) => seq <= until);
  const to = rows.at(-1)?.seq;
  if (to === undefined) return;
  const found = new Map<string, Found>();
  for (const row of rows) {
    const hour = hourOf(row.at);
    for (const term of termsOf(row)) {
      const key = termKey(term);
      const of = found.get(key) ?? { term, seqs: [], hours: new Map<string, Counted>() };
      if (of.seqs.length === 0 && of.hours.size === 0) found.set(key, of);
      if (isListed(term[0])) of.seqs.push(row.seq);
      if (isCounted(term[0])) count(of.hours, hour, row);
    }
  }
  const ids = await addTerms(
    sql,
    [...found.values()].map(({ term }) => term),
  );
  const postings: [number, number][] = [];
  const hours: HourCount[] = [];
  for (const [key, of] of found) {
    const id = ids.get(key);
    if (id === undefined) throw new Error(`the term ${key} has no id`);
    for (const seq of of.seqs) postings.push([id, seq]);
    for (const [hour, counted] of of.hours) hours.push({ term: id, hour, ...counted });
  }
  await addToIndex(sql, { postings, hours, from, to });
  await sql.run(SET_INDEXED, to);
}

type Counted = Omit<HourCount, "term" | "hour">;
type Found = { term: IndexTerm; seqs: number[]; hours: Map<string, Counted> };

function count(hours: Map<string, Counted>, hour: string, { seq, outcome }: IndexedRow): void {
  const known = hours.get(hour) ?? { events: 0, bad: 0, minSeq: seq, maxSeq: seq };
  if (known.events === 0) hours.set(hour, known);
  known.events += 1;
  if (outcome !== "ok") known.bad += 1;
  known.maxSeq = seq;
}

/** UTC hour, as `2026-11-22T09`. */
export function hourOf(at: Date): string {
  return at.toISOString().slice(0, 13);
}
