import Sqlite from "better-sqlite3";
import pg from "pg";
import type { DatabaseAddress } from "@/lib/db/database";

type Row = Record<string, unknown>;
/** Runs a statement with `?` parameters directly on the database, bypassing Skillgate. */
export type Outside = (text: string, ...values: unknown[]) => Promise<Row[]>;

export function outsideOf(address: DatabaseAddress): Outside {
  return "file" in address ? outsideOfFile(address.file) : outsideOfServer(address.url);
}

function outsideOfFile(file: string): Outside {
  return async (text, ...values) => {
    const db = new Sqlite(file);
    try {
      const statement = db.prepare<unknown[], Row>(text);
      if (statement.reader) return statement.all(...values);
      statement.run(...values);
      return [];
    } finally {
      db.close();
    }
  };
}

function outsideOfServer(url: string): Outside {
  const pool = new pg.Pool({ connectionString: url, max: 1, allowExitOnIdle: true });
  // Dropping the database ends this connection.
  pool.on("error", () => {});
  return async (text, ...values) => {
    let count = 0;
    const { rows } = await pool.query<Row>(
      text.replaceAll("?", () => `$${++count}`),
      values,
    );
    return rows ?? [];
  };
}

export async function listTables(outside: Outside, { dialect }: { dialect: string }): Promise<string[]> {
  const text =
    dialect === "sqlite"
      ? `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`
      : `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema()
         AND table_type = 'BASE TABLE' ORDER BY 1`;
  return (await outside(text)).map(({ name }) => String(name));
}

/** Makes all writes to the audit log fail, until `repairSink`. */
export async function breakSink(outside: Outside, { dialect }: { dialect: string }): Promise<void> {
  if (dialect === "sqlite") {
    await outside(
      `CREATE TRIGGER "broken_sink" BEFORE INSERT ON "AuditEvent" BEGIN SELECT RAISE(ABORT, 'the audit log cannot be written'); END`,
    );
    return;
  }
  await outside(
    `CREATE OR REPLACE FUNCTION "break_sink"() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'the audit log cannot be written'; END $$`,
  );
  await outside(
    `CREATE TRIGGER "broken_sink" BEFORE INSERT ON "AuditEvent" FOR EACH ROW EXECUTE FUNCTION "break_sink"()`,
  );
}

export async function repairSink(outside: Outside, { dialect }: { dialect: string }): Promise<void> {
  await outside(`DROP TRIGGER IF EXISTS "broken_sink"${dialect === "sqlite" ? "" : ` ON "AuditEvent"`}`);
}
