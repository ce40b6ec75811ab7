import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { afterEach, expect, test } from "vitest";
import { applyMigrations } from "./apply-migrations";

const folder = mkdtempSync(join(tmpdir(), "skillgate-migrations-"));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const PARENT_AND_CHILD = `CREATE TABLE "Parent" ("id" TEXT PRIMARY KEY);
CREATE TABLE "Child" ("id" TEXT PRIMARY KEY, "parentId" TEXT NOT NULL REFERENCES "Parent" ("id") ON DELETE CASCADE);
INSERT INTO "Parent" VALUES ('p'); INSERT INTO "Child" VALUES ('c', 'p');`;

// The statements with which Prisma changes a table that cannot be altered in place.
const REBUILD = `PRAGMA defer_foreign_keys=ON; PRAGMA foreign_keys=OFF;
CREATE TABLE "new_Parent" ("id" TEXT PRIMARY KEY, "rank" INTEGER NOT NULL DEFAULT 0);
INSERT INTO "new_Parent" ("id") SELECT "id" FROM "Parent";
DROP TABLE "Parent"; ALTER TABLE "new_Parent" RENAME TO "Parent";
PRAGMA foreign_keys=ON; PRAGMA defer_foreign_keys=OFF;`;

function writeMigration(name: string, sql: string): void {
  mkdirSync(join(folder, "sqlite", name), { recursive: true });
  writeFileSync(join(folder, "sqlite", name, "migration.sql"), sql);
}

test("rebuilding a table keeps the rows that refer to it; what would leave some without a target is not applied", async () => {
  const file = join(folder, "a.db");
  writeMigration("1_start", PARENT_AND_CHILD);
  writeMigration("2_rebuild", REBUILD);
  expect(await applyMigrations({ file }, folder)).toEqual(["1_start", "2_rebuild"]);
  writeMigration("3_breaks", `DELETE FROM "Parent"; CREATE TABLE "Later" ("id" TEXT);`);
  await expect(applyMigrations({ file }, folder)).rejects.toThrow("3_breaks would leave 1 rows");
  const db = new Sqlite(file);
  expect(db.prepare(`SELECT COUNT(*) AS n FROM "Child"`).get()).toEqual({ n: 1 });
  expect(db.prepare(`SELECT COUNT(*) AS n FROM sqlite_master WHERE name = 'Later'`).get()).toEqual({ n: 0 });
  db.close();
});
