import { describe, expect, it, test } from "vitest";
import { inTransaction } from "@/lib/db/context";
import { query } from "@/lib/db/sql";
import { testDatabase } from "@/lib/testing/test-database";
import { indexAllEvents } from "./index/index-events";
import { listEvents } from "./list-events";
import { bucketsFor, HOUR, readHistogram } from "./read-histogram";
import { AuditHistogramQuery, ListAuditQuery } from "./schema";
import { forgetEvents } from "./seal-events";

const { database, person } = await testDatabase();
const admin = await person("admin", "Ada");
const start = Date.parse("2026-02-01T00:00:00Z");
const EVENTS = 24_000;

/**
 * Thirty days with an event every 108 seconds: one in 4 by Bob, one in 8 of a tool, one in 40 failed, three of a rare class.
 */
const at = (index: number) => new Date(start + index * 108_000).toISOString().replace("Z", "+00:00");
const facts = (index: number) => ({
  actor: index % 4 === 0 ? "bob" : "ada",
  tool: index % 8 === 0 ? "csv" : null,
  outcome: index % 40 === 0 ? "failed" : "ok",
  class: index % 8_000 === 4_000 ? "dangerous" : null,
});
await inTransaction(admin.ctx, async () => {
  const insert = query(
    `INSERT INTO "AuditEvent" ("at", "actorKind", "actorId", "actorName", "action", "outcome", "tool", "class", "summary", "data", "chain")
     VALUES (?, 'user', ?, ?, 'run.start', ?, ?, ?, ?, '{}', 1)`,
  );
  for (let index = 0; index < EVENTS; index += 1) {
    const { actor, tool, outcome, class: of } = facts(index);
    await database.writeSql.run(
      insert,
      at(index),
      actor,
      actor,
      outcome,
      tool,
      of,
      `started ${index % 3 ? "one" : "two"}`,
    );
  }
});
await indexAllEvents(admin.ctx);

const month = { from: new Date(start).toISOString(), to: new Date(start + 30 * 24 * HOUR - 1).toISOString() };
const ask = (input: Record<string, unknown> = {}) =>
  readHistogram(admin.ctx, AuditHistogramQuery.parse({ ...month, ...input }));
const countOf = (fits: (fact: ReturnType<typeof facts>, index: number) => boolean) =>
  Array.from({ length: EVENTS }, (_, index) => index).filter((index) => fits(facts(index), index)).length;

describe("bucketsFor", () => {
  it.each([
    [10_000, 240, 1_000, 10],
    [3_600_000, 60, 60_000, 60],
    [30 * 24 * HOUR, 120, 6 * HOUR, 120],
    [3_650 * 24 * HOUR, 240, 30 * 24 * HOUR, 122],
    [3_650 * 24 * HOUR, 61, 60 * 24 * HOUR, 61],
  ])("cuts %d ms into at most %d parts of %d ms", (length, most, stepMs, count) => {
    expect(bucketsFor(start, start + length, most)).toEqual({ from: start, stepMs, count });
  });
});

test("a month is counted exactly, by bucket, by lane, and with one filter", async () => {
  const all = await ask({ lanes: "actor" });
  expect(all).toMatchObject({ exact: true, total: EVENTS, stepMs: 6 * HOUR, moreLanes: 0 });
  expect(all.counts).toEqual(Array(120).fill(200));
  expect(all.bad.reduce((sum, count) => sum + count, 0)).toBe(600);
  expect(all.lanes.map(({ name, total }) => [name, total])).toEqual([
    ["ada", 18_000],
    ["bob", 6_000],
  ]);
  expect((await ask({ lanes: "tool" })).lanes.map(({ key, total }) => [key, total])).toEqual([["csv", 3_000]]);
  expect(await ask({ actor: "bob", outcome: "failed" })).toMatchObject({
    exact: true,
    total: countOf((fact) => fact.actor === "bob" && fact.outcome === "failed"),
  });
  expect(await ask({ outcome: "failed" })).toMatchObject({ exact: true, total: 600 });
});

test("a stretch of time without events, or that ends before it begins, counts none; one that ends far ahead counts all", async () => {
  const none = { exact: true, total: 0 };
  expect(await ask({ from: month.to, to: month.from })).toMatchObject(none);
  expect(await ask({ from: new Date(Date.now() + HOUR).toISOString(), to: undefined })).toMatchObject(none);
  expect(await ask({ from: undefined, to: new Date(start - HOUR).toISOString() })).toMatchObject(none);
  expect(await ask({ to: "9999-12-31T23:59:59Z" })).toMatchObject({ total: EVENTS });
});

test("the month view reads hours, not events", async () => {
  const hours = await database.reader.auditHour.count();
  expect(hours).toBeLessThan(EVENTS / 2);
  await inTransaction(admin.ctx, () => database.writeSql.run(query(`UPDATE "AuditHour" SET "events" = "events" + 1`)));
  expect((await ask()).total).toBe(EVENTS + 720);
  await inTransaction(admin.ctx, () => database.writeSql.run(query(`UPDATE "AuditHour" SET "events" = "events" - 1`)));
});

test("rare events are counted exactly with any filters; frequent ones are estimated and marked as such", async () => {
  expect(await ask({ class: "dangerous", actor: "bob" })).toMatchObject({ exact: true, total: 3 });
  const many = await ask({ actor: "ada", action: "run" });
  expect(many.exact).toBe(false);
  expect(Math.abs(many.total - 18_000)).toBeLessThan(1_800);
  const searched = await ask({ q: "starting one" });
  expect(searched.exact).toBe(false);
  expect(Math.abs(searched.total - 16_000)).toBeLessThan(1_600);
});

test("a zoom to seconds shows each event where it was", async () => {
  const minute = { from: new Date(start).toISOString(), to: new Date(start + 239_000).toISOString() };
  const close = await ask({ ...minute, buckets: 240 });
  expect([close.stepMs, close.exact, close.total]).toEqual([1_000, true, 3]);
  expect(close.counts.flatMap((count, index) => (count > 0 ? [index] : []))).toEqual([0, 108, 216]);
});

test("a filter that hardly any event fits is searched for in steps that say how far they went", async () => {
  const filter = { actor: "ada", tool: "csv", outcome: "ok", q: "two" };
  let pages = 0;
  for (let cursor: string | undefined, isLast = false; !isLast; pages += 1) {
    const page = await listEvents(admin.ctx, ListAuditQuery.parse({ ...filter, ...(cursor ? { cursor } : {}) }));
    expect(page.items).toEqual([]);
    isLast = page.nextCursor === null;
    expect(page.searchedTo === null).toBe(isLast);
    cursor = page.nextCursor ?? undefined;
  }
  expect(pages).toBeGreaterThanOrEqual(1);
  const [action, actor] = [{ action: "run" }, { actor: "bob" }];
  const mixed = await listEvents(
    admin.ctx,
    ListAuditQuery.parse({ ...action, ...actor, outcome: "ok", tool: "nothing" }),
  );
  expect([mixed.items, mixed.nextCursor]).toEqual([[], null]);
});

test("events that were deleted leave the index", async () => {
  await inTransaction(admin.ctx, async (_tx, ctx) => {
    await database.writeSql.run(query(`DELETE FROM "AuditEvent" WHERE "seq" <= 20000`));
    await forgetEvents(ctx, 20_000);
  });
  expect(await database.reader.auditPosting.count({ where: { seq: { lte: 20_000 } } })).toBe(0);
  expect((await ask()).total).toBeLessThanOrEqual(4_000 + 34);
  const { items, nextCursor } = await listEvents(
    admin.ctx,
    ListAuditQuery.parse({ actor: "bob", limit: 100, q: "one" }),
  );
  expect(items.length).toBe(100);
  expect(nextCursor).not.toBeNull();
});
