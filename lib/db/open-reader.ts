import Sqlite from "better-sqlite3";
import type { Sql } from "./sql";
import { sqliteSql } from "./sqlite-sql";

type Reader = { sql: Sql; close(): Promise<void> };

/**
 * What a database holds at one moment, also beside a running server: all that is read is of one reading transaction.
 * `address` is the path of a SQLite file, which has to be there, or `postgresql://…`. Cannot write.
 */
export async function openReader(address: string): Promise<Reader> {
  if (/^postgres(ql)?:/.test(address)) {
    const { readPostgres } = await import("./postgres/read-postgres");
    return readPostgres(address);
  }
  const db = new Sqlite(address, { readonly: true, fileMustExist: true });
  db.exec("BEGIN");
  return {
    sql: sqliteSql(db, { writes: false }),
    close: async () => {
      db.close();
    },
  };
}
