// node bin/make-migration.mjs NAME: writes the SQL between the last migrated data model and prisma/schema.prisma.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { diffSchemas } from "./schema-engine.mjs";

const name = process.argv[2];
if (!/^[a-z][a-z0-9_]*$/.test(name ?? "")) {
  console.error("Usage: node bin/make-migration.mjs lower_snake_name");
  process.exit(2);
}
const root = join(import.meta.dirname, "..", "prisma");
const snapshotPath = join(root, "migrations", "sqlite", "schema.snapshot.prisma");
const schema = await readFile(join(root, "schema.prisma"), "utf8");
const snapshot = await readFile(snapshotPath, "utf8").catch((error) => {
  if (error.code === "ENOENT") return "";
  throw error;
});
const sql = await diffSchemas(snapshot, schema);
if (sql.includes("This is an empty migration")) {
  console.log("Nothing changed since the last migration.");
  process.exit(0);
}
const stamp = new Date().toISOString().replaceAll(/\D/g, "").slice(0, 14);
const folder = join(root, "migrations", "sqlite", `${stamp}_${name}`);
await mkdir(folder, { recursive: true });
await writeFile(join(folder, "migration.sql"), sql);
await writeFile(snapshotPath, schema);
console.log(`Wrote ${folder}/migration.sql: read it before you commit it.`);
