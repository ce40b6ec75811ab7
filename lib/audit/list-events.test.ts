import { expect, test } from "vitest";
import type { Ctx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/context";
import { testDatabase } from "@/lib/testing/test-database";
import { getEvent, listEvents } from "./list-events";
import { listAuditFacets } from "./list-facets";
import { type AuditEntry, recordEvent } from "./record-event";
import { ListAuditQuery } from "./schema";

const { as, person } = await testDatabase();
const start = Date.parse("2026-03-01T00:00:00Z");
const [mara, aiko] = [await person("reviewer", "Mara"), await person("user", "Aiko")];

async function write(ctx: Ctx, entry: Partial<AuditEntry> & { summary: string }, at: number) {
  await inTransaction({ ...ctx, now: () => new Date(at) }, (tx, txCtx) =>
    recordEvent(tx, { ...txCtx, now: () => new Date(at) }, { action: "run.start", ...entry }),
  );
}

/** 300 events, one per minute; some of them match the filters. */
const all: { seq: number; kind: string }[] = [];
for (let index = 0; index < 300; index += 1) {
  const at = start + index * 60_000;
  const kind = index === 17 ? "approve" : index % 50 === 3 ? "aiko" : index % 7 === 0 ? "failed" : "plain";
  if (kind === "approve")
    await write(
      mara.ctx,
      {
        action: "version.approve",
        summary: "approved csv-summary 3f2c9ab",
        tool: "csv_summary",
        versionDigest: "d1",
        class: "mutating",
        decision: "approve",
        concerns: aiko.id,
        device: "desk",
      },
      at,
    );
  else if (kind === "aiko")
    await write(aiko.ctx, { summary: "started tidy_notes", tool: "tidy_notes", runId: `r${index}` }, at);
  else if (kind === "failed")
    await write(mara.ctx, { action: "run.fail", outcome: "failed", summary: "saw a run fail" }, at);
  else await write(mara.ctx, { summary: `started job ${index}` }, at);
  all.push({ seq: index + 1, kind });
}

const ask = (ctx: Ctx, query: Record<string, unknown> = {}) => listEvents(ctx, ListAuditQuery.parse(query));
const seqs = (page: Awaited<ReturnType<typeof ask>>) => page.items.map(({ seq }) => seq);
const ofKind = (...kinds: string[]) =>
  all
    .filter(({ kind }) => kinds.includes(kind))
    .map(({ seq }) => seq)
    .reverse();

async function walk(ctx: Ctx, query: Record<string, unknown>): Promise<number[]> {
  const found: number[] = [];
  let cursor: string | null = null;
  do {
    const page = await ask(ctx, { ...query, ...(cursor === null ? {} : { cursor }) });
    found.push(...seqs(page));
    cursor = page.nextCursor;
  } while (cursor !== null);
  return found;
}

test("pages lead from the newest to the first event and back, and none is shown twice or left out", async () => {
  expect(await walk(mara.ctx, { limit: 37 })).toEqual(all.map(({ seq }) => seq).reverse());
  const last = await ask(mara.ctx, { limit: 100, around: 50 });
  const back: number[] = [];
  for (let cursor = last.prevCursor; cursor !== null; ) {
    const page = await ask(mara.ctx, { limit: 37, cursor });
    if (page.items.length === 0) break;
    back.unshift(...seqs(page));
    cursor = page.prevCursor;
  }
  expect(back).toEqual(
    all
      .map(({ seq }) => seq)
      .slice(100)
      .reverse(),
  );
});

test.each([
  [{ outcome: "failed" }, ["failed"]],
  [{ action: "version.approve" }, ["approve"]],
  [{ action: "version" }, ["approve"]],
  [{ tool: "csv_summary" }, ["approve"]],
  [{ skill: "tidy_notes" }, ["aiko"]],
  [{ actor: "Aiko" }, ["aiko"]],
  [{ actor: aiko.id }, ["aiko"]],
  [{ class: "mutating" }, ["approve"]],
  [{ decision: "approve" }, ["approve"]],
  [{ device: "desk" }, ["approve"]],
  [{ version: "d1" }, ["approve"]],
  [{ session: aiko.actor.kind === "user" ? aiko.actor.sessionId : "" }, ["aiko"]],
  [{ q: "Approves 3f2c9ab" }, ["approve"]],
  [{ q: "mara failing" }, ["failed"]],
  [{ q: "mara failing", outcome: "ok" }, []],
  [{ outcome: "failed", actor: "Mara", action: "run" }, ["failed"]],
  [{ outcome: "failed", actor: "Aiko" }, []],
  [{ q: "---" }, []],
])("%j leaves what fits", async (query, kinds) => {
  expect(await walk(mara.ctx, { ...query, limit: 20 })).toEqual(ofKind(...kinds));
});

test("one run, and the time from a minute to another, both ends within", async () => {
  expect(await walk(mara.ctx, { run: "r53" })).toEqual([54]);
  const time = { from: new Date(start + 10 * 60_000).toISOString(), to: new Date(start + 14 * 60_000).toISOString() };
  expect(await walk(mara.ctx, time)).toEqual([15, 14, 13, 12, 11]);
  expect(await walk(mara.ctx, { ...time, outcome: "failed" })).toEqual([15]);
});

test("a page around an event or a time has the events before and after it", async () => {
  expect(seqs(await ask(mara.ctx, { around: 100, limit: 6 }))).toEqual([103, 102, 101, 100, 99, 98]);
  const time = new Date(start + 99 * 60_000 + 1).toISOString();
  expect(seqs(await ask(mara.ctx, { around: time, limit: 6 }))).toEqual([103, 102, 101, 100, 99, 98]);
});

test("people see only events that they caused or that concern them, with any filter", async () => {
  const own = ofKind("aiko", "approve");
  expect(await walk(aiko.ctx, { limit: 3 })).toEqual(own);
  expect(await walk(aiko.ctx, { actor: "Mara" })).toEqual(ofKind("approve"));
  expect(await walk(aiko.ctx, { q: "fail" })).toEqual([]);
  const { actors, actions } = await listAuditFacets(aiko.ctx);
  expect([actors.map(({ name }) => name), actions]).toEqual([
    ["Aiko", "Mara"],
    ["run.start", "version.approve"],
  ]);
  await expect(getEvent(aiko.ctx, 1)).rejects.toThrow("There is no such event.");
  expect(await getEvent(aiko.ctx, 18)).toMatchObject({ event: { decision: "approve" }, older: 4, newer: 54 });
});

test("the cursor of an empty page leads to newer events", async () => {
  const page = await ask(mara.ctx, { q: "zebra" });
  expect([page.items, page.nextCursor]).toEqual([[], null]);
  await write(mara.ctx, { summary: "fed the zebra" }, start + 86_400_000);
  const newer = await ask(mara.ctx, { q: "zebra", cursor: page.prevCursor });
  expect(seqs(newer)).toEqual([301]);
  expect(seqs(await ask(mara.ctx, { q: "zebra", cursor: newer.prevCursor }))).toEqual([]);
  expect((await listAuditFacets(as(mara.actor))).decisions).toContain("approve");
});
