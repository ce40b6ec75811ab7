import { dirname } from "node:path";
import type { Database, DatabaseAddress } from "./database";
import { openSqlite } from "./open-sqlite";

/** Opens a migrated database. */
export async function openDatabase(address: DatabaseAddress): Promise<Database> {
  if ("file" in address) {
    const { file, keyFolder = dirname(file), workFolder = keyFolder, synchronous = "full" } = address;
    return { dialect: "sqlite", keyFolder, workFolder, ...(await openSqlite({ file, synchronous })) };
  }
  // Loaded where it is needed: an instance on SQLite carries nothing of it.
  const { openPostgres } = await import("./postgres/open-postgres");
  const { url, keyFolder, workFolder = keyFolder } = address;
  return { dialect: "postgresql", keyFolder, workFolder, ...(await openPostgres(url)) };
}
