import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { getInternalDMMF } from "@prisma/get-dmmf";
import { buildAndSerializeParamGraph } from "@prisma/param-graph-builder";

const require = createRequire(import.meta.url);
const requireOfDmmf = createRequire(require.resolve("@prisma/get-dmmf"));

/**
 * Writes `client.ts` into the folder: what `prisma generate` writes for running, without types. Prisma's command line,
 * which writes the types as well, takes 210 MB.
 */
export function writeClient(schemaFile, folder) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "client.ts"), clientSource(readFileSync(schemaFile, "utf8")));
}

/** The options of `getPrismaClient` for a data model, but the compiler. */
export function clientConfig(schema) {
  const dmmf = getInternalDMMF({ datamodel: [["schema.prisma", schema]] });
  if (!dmmf.datamodel) throw new Error(`The data model was not read: ${dmmf.error}`);
  const models = dmmf.datamodel.models.map(({ name, dbName, schema, fields }) => [
    name,
    { fields: fields.map(pickRuntimeFacts), dbName, schema },
  ]);
  return {
    previewFeatures: [],
    clientVersion: require("@prisma/client/package.json").version,
    engineVersion: requireOfDmmf("@prisma/prisma-schema-wasm/package.json").version.split(".").at(-1),
    activeProvider: /datasource \w+ \{\s+provider = "(\w+)"/.exec(schema)[1],
    inlineSchema: schema,
    runtimeDataModel: { models: Object.fromEntries(models), enums: {}, types: {} },
    parameterizationSchema: buildAndSerializeParamGraph(dmmf),
  };
}

function pickRuntimeFacts({ name, kind, type, relationName, dbName }) {
  return { name, kind, type, relationName, dbName };
}

function clientSource(schema) {
  const config = clientConfig(schema);
  const compiler = `@prisma/client/runtime/query_compiler_fast_bg.${config.activeProvider}`;
  return `// @ts-nocheck
// Made by bin/prepare/write-client.mjs.
import { empty, getPrismaClient, join, raw, Sql, sqltag as sql } from "@prisma/client/runtime/client";

export const Prisma = { empty, join, raw, Sql, sql };
export const PrismaClient = getPrismaClient({
  ...JSON.parse(${JSON.stringify(JSON.stringify(config))}),
  compilerWasm: {
    getRuntime: () => import("${compiler}.mjs"),
    getQueryCompilerWasmModule: async () =>
      new WebAssembly.Module(Buffer.from((await import("${compiler}.wasm-base64.mjs")).wasm, "base64")),
    importName: "./query_compiler_fast_bg.js",
  },
});
`;
}
