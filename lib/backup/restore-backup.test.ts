import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { indexAllEvents } from "@/lib/audit/index/index-events";
import { fillEntries, fillSource } from "@/lib/catalog/testing/fill-catalog";
import { lockDataDirectory } from "@/lib/core/lock-data-directory";
import { matchCatalog } from "@/lib/db/catalog-index";
import { createCtx } from "@/lib/db/context";
import { openDatabase } from "@/lib/db/open-database";
import { checkIndexes } from "./check-indexes";
import { recordRestore, restoreBackup } from "./restore-backup";
import { smallInstance } from "./testing/small-instance";
import { writeBackup } from "./write-backup";

const { instance, folder, dataDir, database, ctx, write, end } = await smallInstance();
afterAll(end);
const at = new Date(Date.UTC(2026, 0, 2, 3, 4, 5));
await fillEntries(database.writer, await fillSource(database.writer), [
  { name: "pdf-forms" },
  { name: "csv-to-chart" },
]);
await indexAllEvents(ctx);
const { path: backup, manifest } = await writeBackup(instance, { to: join(folder, "kept"), at });
const input = {
  backup,
  dataDir: join(folder, "fresh"),
  replace: false,
  database: instance.database,
  migrations: manifest.database.migrations,
  at: new Date(Date.UTC(2026, 0, 3)),
};

test("a fresh directory gets every file for its owner alone, and the rows and the audit log of the backup", async () => {
  await write("later");
  const { movedTo } = await restoreBackup(input);
  expect(movedTo).toBeNull();
  for (const { path } of manifest.files) {
    expect(readFileSync(join(input.dataDir, path)).equals(readFileSync(join(backup, path))), path).toBe(true);
    expect(statSync(join(input.dataDir, path)).mode & 0o777).toBe(0o600);
  }
  expect(statSync(input.dataDir).mode & 0o777).toBe(0o700);
  expect((await instance.database.place(join(input.dataDir, "skillgate.db"))).digest).toBe(manifest.database.digest);
  expect(readdirSync(folder).filter((name) => name.includes("restoring"))).toEqual([]);
});

test("the first start after it records it, once, on the chain", async () => {
  const database = await openDatabase({ file: join(input.dataDir, "skillgate.db"), synchronous: "off" });
  const ctx = createCtx({ actor: { kind: "system", name: "test" }, database });
  await recordRestore(ctx);
  await recordRestore(ctx);
  const events = await database.reader.auditEvent.findMany({ where: { action: "backup.restore" } });
  await database.close();
  expect(events).toHaveLength(1);
  expect(events[0]).toMatchObject({ seq: 4, targetName: "skillgate-20260102T030405Z" });
  expect(await instance.database.checkAudit(input.dataDir, { head: { seq: 4, hash: "" } })).toBeNull();
});

test("what was derived from the rows fits them, and finds what it did", async () => {
  const restored = await openDatabase({ file: join(input.dataDir, "skillgate.db"), synchronous: "off" });
  const as = createCtx({ actor: { kind: "system", name: "test" }, database: restored });
  expect(await checkIndexes(as, { every: true })).toEqual([]);
  const { docs } = await matchCatalog(restored.readSql, [{ alternatives: [{ text: "pdf", isPrefix: false }] }]);
  expect(docs).toHaveLength(1);
  await restored.close();
});

test("a directory with something in it stays as it is, until it may be moved aside", async () => {
  const kept = join(folder, "kept-data");
  mkdirSync(kept);
  writeFileSync(join(kept, "mine.txt"), "mine");
  await expect(restoreBackup({ ...input, dataDir: kept })).rejects.toThrow(/not empty/);
  expect(readFileSync(join(kept, "mine.txt"), "utf8")).toBe("mine");
  const { movedTo } = await restoreBackup({ ...input, dataDir: kept, replace: true });
  expect(movedTo).toBe(`${kept}.replaced-20260103T000000Z`);
  expect(readFileSync(join(movedTo ?? "", "mine.txt"), "utf8")).toBe("mine");
  expect(readdirSync(kept)).toContain("skillgate.db");
});

test("an empty directory is taken as it is", async () => {
  const empty = join(folder, "empty");
  mkdirSync(empty);
  expect(await restoreBackup({ ...input, dataDir: empty })).toMatchObject({ movedTo: null });
  expect(readdirSync(empty)).toContain("skillgate.db");
  expect(readdirSync(folder).filter((name) => name.startsWith("empty."))).toEqual([]);
});

test("a directory in use is refused, and what is there goes on", async () => {
  const lock = lockDataDirectory(dataDir);
  await expect(restoreBackup({ ...input, dataDir, replace: true })).rejects.toThrow(/already runs on/);
  lock.close();
  await write("still there");
});

test("a changed backup, one of a newer release and no backup at all are refused before anything is touched", async () => {
  const untouched = join(folder, "untouched");
  const attempt = (change: Partial<typeof input>) => restoreBackup({ ...input, dataDir: untouched, ...change });
  await expect(attempt({ migrations: manifest.database.migrations.slice(0, -1) })).rejects.toThrow(
    /newer release .* unknown migration/,
  );
  await expect(attempt({ backup: dataDir })).rejects.toThrow(/is not a backup/);
  const file = join(backup, "audit-chain.key");
  const key = readFileSync(file);
  writeFileSync(file, "x".repeat(key.length));
  await expect(attempt({})).rejects.toThrow(/audit-chain\.key was changed/);
  writeFileSync(file, key);
  expect(existsSync(untouched)).toBe(false);
});
