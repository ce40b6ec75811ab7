import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeHead } from "@/lib/audit/chain/heads";
import { indexAllEvents } from "@/lib/audit/index/index-events";
import { recordEvent } from "@/lib/audit/record-event";
import { fillEntries, fillSource } from "@/lib/catalog/testing/fill-catalog";
import { matchCatalog } from "@/lib/db/catalog-index";
import { createCtx, inTransaction } from "@/lib/db/context";
import { openDatabase } from "@/lib/db/open-database";
import { createDatabase } from "@/lib/testing/create-database";
import { freshDatabase } from "@/lib/testing/fresh-database";
import { checkIndexes } from "./check-indexes";
import { instanceOf } from "./instance";
import { restoreBackup } from "./restore-backup";
import { writeBackup } from "./write-backup";

test("a dump and what it says are of one moment, and go into an empty database only", async () => {
  const folder = mkdtempSync(join(tmpdir(), "skillgate-dump-"));
  const [dataDir, to] = [join(folder, "data"), join(folder, "kept")];
  mkdirSync(dataDir);
  const { address, drop } = await freshDatabase(dataDir);
  if (!("url" in address)) throw new Error("this test needs PostgreSQL");
  const database = await openDatabase({ ...address, keyFolder: dataDir });
  const ctx = createCtx({ actor: { kind: "system", name: "test" }, database });
  await inTransaction(ctx, (tx, txCtx) => recordEvent(tx, txCtx, { action: "settings.update", summary: "set one" }));
  await fillEntries(database.writer, await fillSource(database.writer), [
    { name: "pdf-forms" },
    { name: "csv-to-chart" },
  ]);
  await indexAllEvents(ctx);
  await writeHead(database, new Date());
  const env = { dataDir, keyDir: dataDir, DATABASE_URL: address.url, SKILLGATE_BACKUPS: undefined };
  const { path, manifest } = await writeBackup(instanceOf(env), { to, at: new Date() });
  expect(readdirSync(path)).toContain("database.dump");
  expect(manifest).toMatchObject({ audit: { seq: 1, problem: null }, database: { provider: "postgresql" } });

  const { database: full } = instanceOf(env);
  const input = { backup: path, replace: false, migrations: manifest.database.migrations, at: new Date() };
  const fresh = join(folder, "fresh");
  await expect(restoreBackup({ ...input, dataDir: fresh, database: full })).rejects.toThrow(/is not empty/);
  expect(existsSync(fresh)).toBe(false);
  const empty = await createDatabase(address.url, { purpose: "restored" });
  const restored = instanceOf({ ...env, dataDir: fresh, keyDir: fresh, DATABASE_URL: empty.url });
  await restoreBackup({ ...input, dataDir: fresh, database: restored.database });
  expect(readdirSync(fresh)).toEqual(expect.arrayContaining(["audit-chain.key", "audit-heads.ndjson"]));
  expect(readdirSync(fresh)).not.toContain("database.dump");
  expect(await restored.database.checkAudit(fresh, { head: { seq: 1, hash: "" } })).toBeNull();
  const copy = await openDatabase({ url: empty.url, keyFolder: fresh });
  expect(await checkIndexes({ ...ctx, database: copy, db: copy.reader }, { every: true })).toEqual([]);
  const { docs } = await matchCatalog(copy.readSql, [{ alternatives: [{ text: "pdf", isPrefix: false }] }]);
  expect(docs).toHaveLength(1);
  await copy.close();
  await database.close();
  await empty.drop();
  await drop();
  rmSync(folder, { recursive: true, force: true });
});
