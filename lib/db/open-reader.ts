import Sqlite from "better-sqlite3";
import type { DatabasePlace } from "./database";
import type { Sql } from "./sql";
import { sqliteSql } from "./sqlite-adapter";

type Reader = { sql: Sql; close(): Promise<void> };

/** Opens a read-only transaction on a database, also while a server uses it. A SQLite file must exist. */
export async function openReader(place: DatabasePlace): Promise<Reader> {
  if ("url" in place) {
    const { readPostgres } = await import("./postgres/postgres-sql");
    return readPostgres(place.url);
  }
  const db = new Sqlite(place.file, { readonly: true, fileMustExist: true });
  db.exec("BEGIN");
  return {
    sql: sqliteSql(db, { writes: false }),
    close: async () => {
      db.close();
    },
  };
}
