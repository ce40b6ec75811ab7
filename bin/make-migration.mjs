// node bin/make-migration.mjs NAME: writes, per database, the SQL between the last migrated data model and
// prisma/schema.prisma, and the data model for PostgreSQL.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { diffSchemas, readModels, withByteOrder } from "./migrations/schema-engine.mjs";

const name = process.argv[2];
if (!/^[a-z][a-z0-9_]*$/.test(name ?? "")) {
  console.error("Usage: node bin/make-migration.mjs lower_snake_name");
  process.exit(2);
}
const root = join(import.meta.dirname, "..", "prisma");
const stamp = new Date().toISOString().replaceAll(/\D/g, "").slice(0, 14);
for (const { provider, folder, model, snapshot } of await readModels(root)) {
  if (provider === "postgresql") await writeFile(join(root, "schema.postgresql.prisma"), model);
  const sql = await diffSchemas(provider, snapshot, model);
  if (sql.includes("This is an empty migration")) {
    console.log(`Nothing changed since the last migration for ${provider}.`);
    continue;
  }
  const target = join(folder, `${stamp}_${name}`);
  await mkdir(target, { recursive: true });
  await writeFile(join(target, "migration.sql"), provider === "postgresql" ? withByteOrder(sql) : sql);
  await writeFile(join(folder, "schema.snapshot.prisma"), model);
  console.log(`Wrote ${target}/migration.sql: read it before you commit it.`);
}
