import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { inTransaction } from "@/lib/db/context";
import type { Outside } from "@/lib/testing/outside";
import { testDatabase } from "@/lib/testing/test-database";
import { writeHead } from "./chain/heads";
import { recordEvent } from "./record-event";
import { sealEvents } from "./seal-events";
import { verifyAudit } from "./verify-audit";
import { verifyFolder } from "./verify-folder";

const DAY_MS = 86_400_000;
const START = Date.parse("2026-01-01T00:00:00Z");

/** Records one event a day for `count` days, and returns a context whose clock is on the last day. */
async function daysOf(count: number) {
  const base = await testDatabase();
  const admin = await base.person("admin");
  let day = 0;
  const now = () => new Date(START + day * DAY_MS);
  const ctx = base.as(admin.actor, now);
  const note = () =>
    inTransaction(ctx, (tx, txCtx) => recordEvent(tx, txCtx, { action: "test.note", summary: `day ${day}` }));
  for (day = 1; day < count; day++) await note();
  await note();
  await writeHead(base.database, now());
  const { folder, address } = base;
  return {
    ...base,
    ctx,
    note,
    segments: join(folder, "audit-segments"),
    offline: () => verifyFolder(folder, address),
  };
}

test("old events move into a sealed file, and the chain stays valid from the first event to the last", async () => {
  const { ctx, database, segments, offline } = await daysOf(10);
  expect(await sealEvents(ctx, 4)).toBe(5);
  const seqs = (await database.reader.auditEvent.findMany({ orderBy: { seq: "asc" } })).map(({ seq, action }) => [
    seq,
    action,
  ]);
  expect(seqs.map(([seq]) => seq)).toEqual([6, 7, 8, 9, 10, 11]);
  expect(seqs.at(-1)).toEqual([11, "audit.seal"]);
  expect(readdirSync(segments).sort()).toEqual(["1-5.manifest.json", "1-5.ndjson.gz"]);
  expect(await verifyAudit(ctx)).toMatchObject({ ok: true, checked: 11, segments: { present: 1, absent: [] } });
  expect(await offline()).toMatchObject({ firstBroken: null, checked: 12 });
  expect(await sealEvents(ctx, 4)).toBe(0);
});

test("segments follow each other, and one that was taken elsewhere is named and does not break the proof", async () => {
  const { ctx, segments, offline } = await daysOf(10);
  expect(await sealEvents(ctx, 7)).toBe(2);
  expect(await sealEvents(ctx, 4)).toBe(3);
  renameSync(join(segments, "1-2.ndjson.gz"), join(segments, "..", "elsewhere.gz"));
  expect(await offline()).toMatchObject({
    firstBroken: null,
    segments: { present: 1, absent: [{ fromSeq: 1, toSeq: 2 }] },
  });
});

test("however old they are, the newest event stays and new ones follow it", async () => {
  const { ctx, database, note } = await daysOf(3);
  expect(await sealEvents(ctx, 0)).toBe(2);
  await note();
  expect(await database.reader.auditEvent.count()).toBe(3);
  expect(await verifyAudit(ctx)).toMatchObject({ ok: true });
});

test("a changed event is not sealed", async () => {
  const { ctx, outside, database } = await daysOf(10);
  await outside(`UPDATE "AuditEvent" SET "summary" = 'nothing' WHERE "seq" = 3`);
  await expect(sealEvents(ctx, 4)).rejects.toThrow("Event 3 of the audit log is invalid");
  expect(await database.reader.auditEvent.count()).toBe(10);
});

const TAMPERINGS: [
  what: string,
  problem: string,
  seq: number,
  change: (w: { outside: Outside; segments: string }) => unknown,
][] = [
  [
    "an event in a sealed file",
    "edited",
    3,
    ({ segments }) => {
      const sealed = join(segments, "1-5.ndjson.gz");
      writeFileSync(
        sealed,
        gzipSync(gunzipSync(readFileSync(sealed)).toString().replace('"summary":"day 3"', '"summary":"day 9"')),
      );
    },
  ],
  ["a sealed file", "segment", 1, ({ segments }) => writeFileSync(join(segments, "1-5.ndjson.gz"), "nonsense")],
  ["the anchor", "missing", 1, ({ outside }) => outside(`DELETE FROM "AuditSegment"`)],
  ["the anchor’s end", "segment", 1, ({ outside }) => outside(`UPDATE "AuditSegment" SET "toSeq" = 4`)],
  [
    "the manifest",
    "segment",
    1,
    ({ outside }) =>
      outside(`UPDATE "AuditSegment" SET "manifest" = replace("manifest", '"toSeq":5', '"toSeq":6'), "toSeq" = 6`),
  ],
];

test.each(TAMPERINGS)("%s that was changed is found", async (_what, problem, seq, change) => {
  const { ctx, outside, segments, offline } = await daysOf(10);
  await sealEvents(ctx, 4);
  expect(await offline()).toMatchObject({ firstBroken: null });
  await change({ outside, segments });
  expect(await offline()).toMatchObject({ firstBroken: { problem, seq } });
});
