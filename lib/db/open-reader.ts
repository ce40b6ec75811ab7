import Sqlite from "better-sqlite3";
import type { DatabasePlace } from "./database";
import type { Sql } from "./sql";
import { sqliteSql } from "./sqlite-adapter";

type Reader = { sql: Sql; close(): Promise<void> };

/**
 * What a database holds at one moment, also beside a running server: all that is read is of one reading transaction.
 * A SQLite file has to be there. Cannot write.
 */
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
