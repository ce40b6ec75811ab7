import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeHead } from "@/lib/audit/chain/heads";
import { recordEvent } from "@/lib/audit/record-event";
import { applyMigrations } from "@/lib/db/apply-migrations";
import { createCtx, inTransaction } from "@/lib/db/context";
import { openDatabase } from "@/lib/db/open-database";
import { instanceOf } from "../instance";

const MIGRATIONS = join(import.meta.dirname, "..", "..", "..", "prisma", "migrations");

/**
 * Creates a data directory on SQLite, also when the suite runs on PostgreSQL, with keys, a few audit events, heads, and
 * the open database. `end` removes everything.
 */
export async function smallInstance() {
  const folder = mkdtempSync(join(tmpdir(), "skillgate-backup-"));
  const dataDir = join(folder, "data");
  mkdirSync(dataDir, { mode: 0o700 });
  const file = join(dataDir, "skillgate.db");
  await applyMigrations({ file }, MIGRATIONS);
  const database = await openDatabase({ file, synchronous: "off" });
  const ctx = createCtx({ actor: { kind: "system", name: "test" }, database });
  const write = (key: string) =>
    inTransaction(ctx, async (tx, txCtx) => {
      await tx.setting.create({ data: { key, value: "1", updatedAt: ctx.now(), updatedBy: null } });
      await recordEvent(tx, txCtx, { action: "settings.update", summary: `set ${key}` });
    });
  for (const key of ["one", "two", "three"]) await write(key);
  await writeHead(database, new Date());
  return {
    ...{ folder, dataDir, file, database, ctx, write },
    instance: instanceOf({ dataDir, keyDir: dataDir, DATABASE_URL: undefined, SKILLGATE_BACKUPS: undefined }),
    end: async () => {
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
