// Prisma's schema engine as WebAssembly: produces migration SQL without a database and without a download.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);

/**
 * The SQL that turns the first data model into the second; an empty text for "no model yet".
 * Answers the string "-- This is an empty migration." (with a newline) when there is nothing to do.
 */
export async function diffSchemas(fromSchema, toSchema) {
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
  const { bindMigrationAwareSqlAdapterFactory } = await import("@prisma/driver-adapter-utils");
  const { PrismaBetterSqlite3 } = await import("@prisma/adapter-better-sqlite3");
  const factory = bindMigrationAwareSqlAdapterFactory(new PrismaBetterSqlite3({ url: ":memory:" }));
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
