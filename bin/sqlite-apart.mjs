import { createHash } from "node:crypto";
import Sqlite from "better-sqlite3";

/**
 * Long tasks on a whole database in a separate process, so that the server stays responsive and can cancel them. Gets
 * one task as JSON and prints its result as JSON. No task writes to the file it reads.
 */
const tasks = { copy, check, inspect };
const MOST_PROBLEMS = 20;

try {
  const { task, ...input } = JSON.parse(process.argv[2] ?? "");
  console.log(JSON.stringify(tasks[task](input)));
} catch (error) {
  console.log(JSON.stringify({ failed: { code: error.code ?? null, message: error.message } }));
  process.exitCode = 1;
}

function reading(file, work) {
  const db = new Sqlite(file, { readonly: true, fileMustExist: true, timeout: 5000 });
  try {
    return work(db);
  } finally {
    db.close();
  }
}

/** One read transaction, so concurrent writes do not matter. */
function copy({ from, to }) {
  reading(from, (db) => db.prepare("VACUUM INTO ?").run(to));
  return {};
}

function check({ file, quick }) {
  return reading(file, (db) => {
    const pages = db.pragma(`${quick ? "quick_check" : "integrity_check"}(${MOST_PROBLEMS})`);
    const problems = pages.map((row) => Object.values(row).join(" ")).filter((line) => line !== "ok");
    if (quick || problems.length > 0) return { problems };
    const broken = db.pragma("foreign_key_check").slice(0, MOST_PROBLEMS);
    return { problems: broken.map(({ table, rowid, parent }) => `row ${rowid} of ${table} refers to no ${parent}`) };
  });
}

function inspect({ file }) {
  const { problems } = check({ file, quick: false });
  return {
    problems,
    ...(problems.length === 0 ? facts(file) : { tables: {}, digest: "", migrations: [], head: null }),
  };
}

/** Hash of the content, independent of the order of rows and pages; full-text indexes count by their sources. */
function facts(file) {
  return reading(file, (db) => {
    db.exec("BEGIN");
    const names = db
      .pragma("table_list")
      .filter(({ schema, name, type }) => schema === "main" && type === "table" && !name.startsWith("sqlite_"))
      .map(({ name }) => name)
      .sort();
    const tables = {};
    let sum = 0n;
    for (const name of names) {
      let rows = 0;
      for (const row of db.prepare(`SELECT * FROM "${name}"`).raw().iterate()) {
        rows += 1;
        sum += BigInt(`0x${hashRow(name, row)}`);
      }
      tables[name] = rows;
    }
    return { tables, digest: (sum % 2n ** 256n).toString(16).padStart(64, "0"), ...known(db, tables) };
  });
}

function hashRow(table, row) {
  const hash = createHash("sha256").update(table);
  for (const value of row) {
    hash.update(`\0${value === null ? "null" : typeof value} `);
    if (value !== null) hash.update(Buffer.isBuffer(value) ? value : String(value));
  }
  return hash.digest("hex");
}

function known(db, tables) {
  const migrations =
    tables._prisma_migrations === undefined
      ? []
      : db
          .prepare(`SELECT "migration_name" AS "name" FROM "_prisma_migrations" WHERE "rolled_back_at" IS NULL`)
          .all()
          .map(({ name }) => name)
          .sort();
  const head =
    tables.AuditEvent > 0
      ? db.prepare(`SELECT "seq", "hash" FROM "AuditEvent" ORDER BY "seq" DESC LIMIT 1`).get()
      : null;
  return { migrations, head };
}
