import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GENESIS, hashEvent } from "@/lib/audit/chain/chain-events";
import { chainKeyOf } from "@/lib/audit/chain/chain-key";
import { writeHead, writeLastHead } from "@/lib/audit/chain/heads";
import { indexAllEvents } from "@/lib/audit/index/index-events";
import { listEvents } from "@/lib/audit/list-events";
import { recordEvent } from "@/lib/audit/record-event";
import { ListAuditQuery } from "@/lib/audit/schema";
import { verifyFolder } from "@/lib/audit/verify-folder";
import { newId } from "@/lib/core/ids";
import { applyMigrations } from "@/lib/db/apply-migrations";
import { type Ctx, createCtx, inTransaction } from "@/lib/db/context";
import { encodeCursor } from "@/lib/db/cursor";
import { openDatabase } from "@/lib/db/open-database";
import { query } from "@/lib/db/sql";
import type { BenchOptions } from "./harness/bench-options";
import { fillAudit } from "./harness/fill-audit";
import { addBlock, createSeries, type Figures, figuresOf, round } from "./harness/measure";

const LIMIT = 50;
const DEEP = 10_000;
const MOST_RATIO = 1.5;

const LAST = query<Record<string, string | number | null>>(`SELECT * FROM "AuditEvent" ORDER BY "seq" DESC LIMIT 1`);
const TAIL = query<{ hash: string }>(`SELECT "seq", "hash" FROM "AuditEvent" ORDER BY "seq" DESC LIMIT 1`);

type Row = { page: string; figures: Figures };

/**
 * A million events: pages of the timeline through its function, the first against the ten-thousandth and filtered ones,
 * with paging by OFFSET as the control; verification in events per second; the cost of recording an event. Fails when the
 * deep page takes more than one and a half times the first, or when the chain is broken.
 */
export async function benchAudit({ quick, json, rounds }: BenchOptions): Promise<void> {
  const events = quick ? 20_000 : 1_000_000;
  const folder = mkdtempSync(join(tmpdir(), "skillgate-audit-"));
  const file = join(folder, "skillgate.db");
  process.env.SKILLGATE_LOG_LEVEL = "silent";
  try {
    await applyMigrations({ file }, join(import.meta.dirname, "..", "prisma", "migrations"));
    const database = await openDatabase({ file });
    const actor = {
      kind: "user",
      userId: newId(),
      name: "Bench",
      email: "",
      role: "admin",
      sessionId: newId(),
    } as const;
    const ctx = createCtx({ actor, database });
    const filled = await timed(async () => fillAudit(file, await chainKeyOf(database), events));
    await writeHead(database, new Date());
    const indexed = await timed(() => indexAllEvents(ctx));
    console.log(`${events} events: filled in ${filled} s, indexed in ${indexed} s.`);
    const rows = await measurePages(ctx, events, rounds ?? (quick ? 30 : 200));
    console.table(
      Object.fromEntries(rows.map(({ page, figures }) => [page, { p50: figures.p50Ms, p95: figures.p95Ms }])),
    );
    const p50 = (page: number) => rows[page]?.figures.p50Ms ?? Number.NaN;
    const ratio = round(p50(1) / p50(0));
    console.log(
      `Page ${DEEP} takes ${ratio} times the first (at most ${MOST_RATIO}); by OFFSET ${round(p50(2) / p50(0))} times.`,
    );
    const clock = performance.now();
    const { checked, firstBroken } = await verifyFolder(folder, { file });
    const perSecond = Math.round(checked / ((performance.now() - clock) / 1000));
    console.log(
      `Verification: ${checked} events, ${perSecond} a second; ${firstBroken === null ? "all valid" : firstBroken.message}`,
    );
    const cost = await measureRecording(ctx, quick ? 2_000 : 20_000);
    console.log(`Recording an event inside a transaction: ${cost.whole} µs, of that the chain ${cost.chain} µs.`);
    if (json)
      console.log(JSON.stringify({ bench: "audit", node: process.version, events, rows, ratio, perSecond, cost }));
    if ((!quick && !(ratio <= MOST_RATIO)) || firstBroken !== null) process.exitCode = 1;
    await writeLastHead(database, new Date());
    await database.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measurePages(ctx: Ctx, events: number, count: number): Promise<Row[]> {
  const deepSeq = Math.max(LIMIT * 2, events - DEEP * LIMIT);
  const list =
    (query: Record<string, string>, isFiltered = false) =>
    async () => {
      const page = await listEvents(ctx, ListAuditQuery.parse({ limit: LIMIT, ...query }));
      const least = isFiltered ? 1 : LIMIT;
      if (page.items.length < least) throw new Error(`a page of ${page.items.length} events`);
    };
  const before = (seq: number) => ({ cursor: encodeCursor({ before: seq }) });
  const pages: [page: string, call: () => Promise<void>][] = [
    ["the first", list({})],
    [`number ${DEEP}`, list(before(deepSeq))],
    [`number ${DEEP} by OFFSET (control)`, () => byOffset(ctx, events - deepSeq)],
    ["filtered: failed runs of one tool", list({ tool: "skill_7", outcome: "failed" }, true)],
    ["filtered, deep: one person", list({ actor: "Person 3", ...before(deepSeq) }, true)],
  ];
  const series = pages.map(() => createSeries());
  for (let block = 0; block < 10; block++) {
    for (const [index, [, call]] of pages.entries()) {
      await addBlock(series[index] ?? createSeries(), { count: Math.ceil(count / 10), concurrency: 1 }, call);
    }
  }
  return pages.map(([page], index) => ({ page, figures: figuresOf(series[index] ?? createSeries()) }));
}

async function byOffset(ctx: Ctx, skip: number): Promise<void> {
  await ctx.db.auditEvent.findMany({ orderBy: { seq: "desc" }, skip: Math.max(0, skip), take: LIMIT });
}

async function measureRecording(ctx: Ctx, count: number): Promise<{ whole: number; chain: number }> {
  const entry = { action: "bench.note", summary: "noted something", data: { n: 1 }, arguments: { text: "x" } };
  const whole = await inTransaction(ctx, (tx, txCtx) => microseconds(count, () => recordEvent(tx, txCtx, entry)));
  const key = await chainKeyOf(ctx.database);
  const event = (await ctx.database.readSql.get(LAST)) ?? {};
  const chain = await microseconds(count, async () => {
    await ctx.database.readSql.get(TAIL);
    hashEvent(key, event, GENESIS);
  });
  return { whole, chain };
}

/** Processor time of one call, which excludes other load of the machine. */
async function microseconds(count: number, call: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  for (let n = 0; n < count; n++) await call();
  const { user, system } = process.cpuUsage(before);
  return round((user + system) / count);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return round((performance.now() - startedAt) / 1000);
}
