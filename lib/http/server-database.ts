import { getEnv } from "@/lib/core/env";
import { processStore } from "@/lib/core/process-store";
import type { Database } from "@/lib/db/database";
import { databaseAddress } from "@/lib/db/database";
import { openDatabase } from "@/lib/db/open-database";

/** The connections of this process, opened once; the start-up hook has applied the migrations before. */
export function getDatabase(): Promise<Database> {
  return processStore("database", () => openDatabase(databaseAddress(getEnv())));
}
