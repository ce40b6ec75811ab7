import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { applyMigrations } from "@/lib/db/apply-migrations";

/** Applies all migrations to a file in its own process; `careless` does so without transactions (the control). */
const [file = "", root = "", how] = process.argv.slice(2);
process.send?.("begin");
if (how === "careless") applyCarelessly();
else await applyMigrations({ file }, root);
process.send?.("done");
process.disconnect?.();

function applyCarelessly(): void {
  const db = new Sqlite(file);
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = FULL");
  for (const name of readdirSync(join(root, "sqlite")).sort()) {
    if (name.endsWith(".prisma")) continue;
    db.exec(readFileSync(join(root, "sqlite", name, "migration.sql"), "utf8"));
  }
  db.close();
}
