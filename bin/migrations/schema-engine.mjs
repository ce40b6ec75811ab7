// Prisma's schema engine as WebAssembly: creates migration SQL without a database or a download.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);

/**
 * SQL that turns the first data model into the second; an empty text means "no model yet". `provider` is `sqlite` or
 * `postgresql`. Returns "-- This is an empty migration." (with a newline) when nothing changes.
 */
export async function diffSchemas(provider, fromSchema, toSchema) {
  loaded ??= loadEngine();
  const bindings = await loaded;
  const { bindMigrationAwareSqlAdapterFactory } = await import("@prisma/driver-adapter-utils");
  const factory = bindMigrationAwareSqlAdapterFactory(await adapterOf(provider));
  const engine = await bindings.SchemaEngine.new({ datamodels: [["schema.prisma", toSchema]] }, () => {}, factory);
  const file = (content) => ({ files: [{ path: "schema.prisma", content }], configDir: "." });
  const result = await engine.diff({
    from: fromSchema === "" ? { tag: "empty" } : { tag: "schemaDatamodel", ...file(fromSchema) },
    to: { tag: "schemaDatamodel", ...file(toSchema) },
    script: true,
    shadowDatabaseUrl: null,
    exitCode: null,
    filters: { externalTables: [], externalEnums: [] },
  });
  return result.stdout ?? "";
}

let loaded;

/** One instance only: a second would overwrite references of the first. */
async function loadEngine() {
  const bindings = await import("@prisma/schema-engine-wasm/schema_engine_bg");
  const wasmPath = join(
    dirname(require.resolve("@prisma/schema-engine-wasm/schema_engine_bg")),
    "schema_engine_bg.wasm",
  );
  const { instance } = await WebAssembly.instantiate(await readFile(wasmPath), {
    "./schema_engine_bg.js": bindings,
  });
  bindings.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start?.();
  return bindings;
}

async function adapterOf(provider) {
  if (provider === "postgresql") return postgresStandIn;
  const { PrismaBetterSqlite3 } = await import("@prisma/adapter-better-sqlite3");
  return new PrismaBetterSqlite3({ url: ":memory:" });
}

/** Comparing models needs no server; the engine only asks for its version. */
const postgresStandIn = {
  provider: "postgres",
  adapterName: "@prisma/adapter-pg",
  connect: () => Promise.resolve(standInConnection),
  connectToShadowDb: () => Promise.resolve(standInConnection),
};
const standInConnection = {
  provider: "postgres",
  adapterName: "@prisma/adapter-pg",
  getConnectionInfo: () => ({ schemaName: "public", supportsRelationJoins: true }),
  queryRaw: async ({ sql }) => {
    if (!sql.includes("numeric_version")) throw new Error(`the schema engine asked a server: ${sql}`);
    return {
      columnNames: ["exists", "version", "numeric_version"],
      columnTypes: [5, 7, 0],
      rows: [[true, "PostgreSQL 15.0", 150000]],
    };
  },
  executeRaw: async () => 0,
  executeScript: async () => {},
  dispose: async () => {},
};

/** Derives the PostgreSQL data model from the one for SQLite: another provider and client folder. */
export function toPostgres(schema) {
  return schema
    .replace('output       = "../lib/db/generated"', 'output       = "../lib/db/postgres/generated"')
    .replace('provider = "sqlite"', 'provider = "postgresql"')
    .replace(/^/, "// Made from schema.prisma by bin/make-migration.mjs; not edited by hand.\n\n");
}

/**
 * Adapts the engine's SQL to the schema of the connection. Text uses byte order, as in SQLite, regardless of the
 * server's locale, so that sorting and paging match the code.
 */
export function withByteOrder(sql) {
  const schemaless = sql.replace('-- CreateSchema\nCREATE SCHEMA IF NOT EXISTS "public";\n\n', "");
  return schemaless.replaceAll(/^(\s+"\w+" TEXT|.* ADD COLUMN\s+"\w+" TEXT)/gm, '$1 COLLATE "C"');
}

/** Per database: the current data model, the one that its migrations lead to, and their folder. */
export async function readModels(root) {
  const schema = await readFile(join(root, "schema.prisma"), "utf8");
  const models = { sqlite: schema, postgresql: toPostgres(schema) };
  return Promise.all(
    Object.entries(models).map(async ([provider, model]) => {
      const folder = join(root, "migrations", provider);
      const snapshot = await readFile(join(folder, "schema.snapshot.prisma"), "utf8").catch(emptyWhenMissing);
      return { provider, folder, model, snapshot };
    }),
  );
}

function emptyWhenMissing(error) {
  if (error.code === "ENOENT") return "";
  throw error;
}
