import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Ctx, createCtx, inQuickTransaction, inTransaction } from "@/lib/db/context";
import { openDatabase } from "@/lib/db/open-database";
import { testDatabase } from "@/lib/testing/test-database";
import { CHAIN_KEY_FILE, chainKeyOf } from "./chain/chain-key";
import { chainOlderEvents } from "./chain/chain-older-events";
import { HEADS_FILE, writeHead } from "./chain/heads";
import { getEvent } from "./list-events";
import { recordEvent } from "./record-event";
import { verifyAudit } from "./verify-audit";

const note = (ctx: Ctx, n: number) =>
  inTransaction(ctx, (tx, txCtx) =>
    recordEvent(tx, txCtx, {
      action: "test.note",
      summary: `noted ${n}`,
      data: { n },
      ...(n % 3 === 0 && { durationMs: n / 7 }),
    }),
  );

async function world(count: number) {
  const base = await testDatabase();
  const admin = await base.person("admin");
  for (let n = 1; n <= count; n++) await note(admin.ctx, n);
  return { ...base, admin };
}

test("each event contains the hash of the one before, for every recording function", async () => {
  const { admin, database } = await world(3);
  const quick = [4, 5, 6].map((n) =>
    inQuickTransaction(admin.ctx, async (tx, txCtx) => {
      await recordEvent(tx, txCtx, { action: "test.note", summary: `quick ${n}` });
      if (n === 5) throw new Error("undone");
    }),
  );
  expect((await Promise.allSettled(quick)).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  const rows = await database.reader.auditEvent.findMany({ orderBy: { seq: "asc" } });
  expect(rows.map(({ summary }) => summary)).toEqual(["noted 1", "noted 2", "noted 3", "quick 4", "quick 6"]);
  for (const [index, row] of rows.entries()) expect(row.prevHash).toBe(rows[index - 1]?.hash ?? "0".repeat(64));
  expect(await verifyAudit(admin.ctx)).toMatchObject({ state: "done", ok: true, checked: 5, firstBroken: null });
});

test("halves of characters, zero bytes and long texts hold after they were read back", async () => {
  const { admin } = await world(0);
  await inTransaction(admin.ctx, (tx, ctx) =>
    recordEvent(tx, ctx, {
      action: "test.odd",
      summary: "a\ud800b\u0000c😀\u2028",
      data: { odd: "\udc00", long: "x".repeat(5000) },
    }),
  );
  expect(await verifyAudit(admin.ctx)).toMatchObject({ ok: true, checked: 1 });
});

const CASES: [problem: string, seq: number, sql: string[]][] = [
  ["edited", 5, [`UPDATE "AuditEvent" SET "summary" = 'did nothing' WHERE "seq" = 5`]],
  ["edited", 5, [`UPDATE "AuditEvent" SET "hash" = NULL WHERE "seq" = 5`]],
  ["missing", 5, [`DELETE FROM "AuditEvent" WHERE "seq" IN (5, 6)`]],
  [
    "missing",
    5,
    [
      `DELETE FROM "AuditEvent" WHERE "seq" = 5`,
      `UPDATE "AuditEvent" SET "seq" = -"seq" WHERE "seq" > 5`,
      `UPDATE "AuditEvent" SET "seq" = -"seq" - 1 WHERE "seq" < 0`,
    ],
  ],
  [
    "reordered",
    5,
    [
      `UPDATE "AuditEvent" SET "seq" = -1 WHERE "seq" = 5`,
      `UPDATE "AuditEvent" SET "seq" = 5 WHERE "seq" = 6`,
      `UPDATE "AuditEvent" SET "seq" = 6 WHERE "seq" = -1`,
    ],
  ],
  ["tail_cut", 8, [`DELETE FROM "AuditEvent" WHERE "seq" >= 8`]],
];

test("each event can be verified by itself", async () => {
  const { outside, admin } = await world(6);
  const verdicts = async () =>
    Promise.all([1, 2, 3, 4, 5, 6].map(async (seq) => (await getEvent(admin.ctx, seq)).verified));
  expect(await verdicts()).toEqual([true, true, true, true, true, true]);
  await outside(`UPDATE "AuditEvent" SET "summary" = 'x' WHERE "seq" = 4`);
  expect(await verdicts()).toEqual([true, true, true, false, true, true]);
});

test.each(CASES)("says that an event is %s and names event %i", async (problem, seq, sql) => {
  const { outside, admin, database } = await world(10);
  await writeHead(database, new Date());
  for (const text of sql) await outside(text);
  expect(await verifyAudit(admin.ctx)).toMatchObject({ ok: false, firstBroken: { problem, seq } });
});

test("a tail that was cut and written anew by the server itself is found by the signed head", async () => {
  const { outside, admin, database } = await world(10);
  await writeHead(database, new Date());
  await outside(`DELETE FROM "AuditEvent" WHERE "seq" >= 9`);
  await outside(
    `UPDATE "AuditChain" SET "place" = 8, "seq" = 8, "hash" = (SELECT "hash" FROM "AuditEvent" WHERE "seq" = 8)`,
  );
  for (let n = 0; n < 5; n++) await note(admin.ctx, n);
  // PostgreSQL gives no number a second time.
  const seq = database.dialect === "sqlite" ? 10 : 12;
  expect(await verifyAudit(admin.ctx)).toMatchObject({ ok: false, firstBroken: { problem: "replaced", seq } });
});

test("the second file may not be missing, forged or half gone; a half-written line at its end is not held against it", async () => {
  const { admin, database, folder } = await world(4);
  await writeHead(database, new Date());
  const file = join(folder, HEADS_FILE);
  const good = readFileSync(file, "utf8");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const verdict = async (text: string) => {
    writeFileSync(file, text);
    return (await verifyAudit(admin.ctx)).firstBroken?.problem ?? "ok";
  };
  expect(await verdict(good.replace(/"seq":4/, '"seq":3'))).toBe("heads");
  expect(await verdict(good.split("\n").slice(1).join("\n"))).toBe("heads");
  expect(await verdict(`${good}nonsense\n`)).toBe("heads");
  expect(await verdict(`${good}{"v":1,"kind`)).toBe("ok");
  await note(admin.ctx, 5);
  await writeHead(database, new Date());
  expect(
    readFileSync(file, "utf8")
      .split("\n")
      .slice(0, -1)
      .every((line) => JSON.parse(line).sig),
  ).toBe(true);
  renameSync(file, `${file}.gone`);
  expect((await verifyAudit(admin.ctx)).firstBroken?.problem).toBe("heads");
});

test("without its key nothing is added, and no other key is made", async () => {
  const { address, folder, admin } = await world(2);
  const keyFile = join(folder, CHAIN_KEY_FILE);
  expect(statSync(keyFile).mode & 0o777).toBe(0o600);
  renameSync(keyFile, `${keyFile}.gone`);
  const database = await openDatabase(address);
  const ctx = createCtx({ actor: admin.actor, database });
  await expect(note(ctx, 3)).rejects.toThrow(/audit-chain\.key is missing.*Restore the file from a backup/s);
  expect(existsSync(keyFile)).toBe(false);
  renameSync(`${keyFile}.gone`, keyFile);
  await note(ctx, 3);
  await database.close();
});

/** Makes an audit as an older release left it: events without hashes, and no key. */
async function oldWorld(count: number) {
  const base = await testDatabase();
  for (let n = 1; n <= count; n++) {
    const at = new Date(n * 1000).toISOString().replace("Z", "+00:00");
    await base.outside(
      `INSERT INTO "AuditEvent" ("seq", "at", "actorKind", "actorName", "action", "outcome", "summary", "data", "chain") VALUES (?, ?, 'system', 'old', 'old.event', 'ok', ?, '{}', 1)`,
      n,
      at,
      `old ${n}`,
    );
  }
  // As the migration that adds the table does.
  await base.outside(`UPDATE "AuditChain" SET "place" = ?, "seq" = ?, "hash" = NULL`, count, count);
  return { ...base, admin: await base.person("admin") };
}

test("events of the time before the chain are chained once, also when that was cut off", async () => {
  const { outside, system, admin } = await oldWorld(7);
  await expect(note(admin.ctx, 1)).rejects.toThrow("has no hash");
  expect(await chainOlderEvents(system)).toBe(7);
  expect(await verifyAudit(admin.ctx)).toMatchObject({ ok: true, checked: 7, chainedLater: 7 });
  await outside(`UPDATE "AuditEvent" SET "hash" = NULL, "prevHash" = NULL, "summary" = 'did nothing' WHERE "seq" >= 5`);
  expect(await chainOlderEvents(system)).toBe(0);
  expect(await verifyAudit(admin.ctx)).toMatchObject({ ok: false, firstBroken: { seq: 5 } });
});

test("chaining older events goes on where a crash stopped it", async () => {
  const { outside, system, admin, folder } = await oldWorld(7);
  await chainKeyOf(system.database);
  const begin = readFileSync(join(folder, HEADS_FILE), "utf8");
  await chainOlderEvents(system);
  await outside(`UPDATE "AuditEvent" SET "hash" = NULL, "prevHash" = NULL WHERE "seq" >= 4`);
  writeFileSync(join(folder, HEADS_FILE), begin);
  expect(await chainOlderEvents(system)).toBe(4);
  expect(await verifyAudit(admin.ctx)).toMatchObject({ ok: true });
});

test("only reviewers and admins may verify, and concurrent callers get the same verification", async () => {
  const { person, admin, database } = await world(3);
  await expect(verifyAudit((await person("user")).ctx)).rejects.toMatchObject({ code: "forbidden" });
  const reviewer = await person("reviewer");
  const [one, two] = await Promise.all([verifyAudit(admin.ctx), verifyAudit(reviewer.ctx)]);
  expect(one).toBe(two);
  expect(await database.reader.auditEvent.count({ where: { action: "audit.verify" } })).toBe(1);
});
