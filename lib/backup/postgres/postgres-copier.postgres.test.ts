import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { expect, test } from "vitest";
import { writeHead } from "@/lib/audit/chain/write-head";
import { recordEvent } from "@/lib/audit/record-event";
import { createCtx } from "@/lib/db/context";
import { inTransaction } from "@/lib/db/in-transaction";
import { openDatabase } from "@/lib/db/open-database";
import { freshDatabase } from "@/lib/testing/fresh-database";
import { instanceOf } from "../instance";
import { restoreBackup } from "../restore-backup";
import { writeBackup } from "../write-backup";

async function emptyDatabase(url: string) {
  const name = `skillgate_restored_${randomBytes(6).toString("hex")}`;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`CREATE DATABASE "${name}"`);
  const drop = () => client.query(`DROP DATABASE "${name}" WITH (FORCE)`).then(() => client.end());
  return { url: Object.assign(new URL(url), { pathname: `/${name}` }).href, drop };
}

test("a dump and what it says are of one moment, and go into an empty database only", async () => {
  const folder = mkdtempSync(join(tmpdir(), "skillgate-dump-"));
  const [dataDir, to] = [join(folder, "data"), join(folder, "kept")];
  mkdirSync(dataDir);
  const { address, drop } = await freshDatabase(dataDir);
  if (!("url" in address)) throw new Error("this test needs PostgreSQL");
  const database = await openDatabase({ ...address, keyFolder: dataDir });
  const ctx = createCtx({ actor: { kind: "system", name: "test" }, database });
  await inTransaction(ctx, (tx, txCtx) => recordEvent(tx, txCtx, { action: "settings.update", summary: "set one" }));
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
  const empty = await emptyDatabase(address.url);
  const restored = instanceOf({ ...env, dataDir: fresh, keyDir: fresh, DATABASE_URL: empty.url });
  await restoreBackup({ ...input, dataDir: fresh, database: restored.database });
  expect(readdirSync(fresh)).toEqual(expect.arrayContaining(["audit-chain.key", "audit-heads.ndjson"]));
  expect(readdirSync(fresh)).not.toContain("database.dump");
  expect(await restored.database.checkAudit(fresh, { head: { seq: 1, hash: "" } })).toBeNull();
  await database.close();
  await empty.drop();
  await drop();
  rmSync(folder, { recursive: true, force: true });
});
