import { join } from "node:path";
import { getEnv } from "@/lib/core/env";
import { processStore } from "@/lib/core/process-store";
import { type Database, openDatabase } from "@/lib/db/open-database";

/** Path of the SQLite file: `DATABASE_URL` (`file:…`), else `skillgate.db` in the data directory. */
export function databaseFile(): string {
  const env = getEnv();
  return env.DATABASE_URL?.replace(/^file:/, "") ?? join(env.dataDir, "skillgate.db");
}

/** The connections of this process, opened once; the start-up hook has applied the migrations before. */
export function getDatabase(): Promise<Database> {
  return processStore("database", () => openDatabase({ file: databaseFile(), keyFolder: getEnv().dataDir }));
}
