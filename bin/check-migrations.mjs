// Fails when prisma/schema.prisma says something that no committed migration does.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { diffSchemas } from "./schema-engine.mjs";

const root = join(import.meta.dirname, "..", "prisma");
const schema = await readFile(join(root, "schema.prisma"), "utf8");
const snapshot = await readFile(join(root, "migrations", "sqlite", "schema.snapshot.prisma"), "utf8");
const sql = await diffSchemas(snapshot, schema);
if (!sql.includes("This is an empty migration")) {
  console.error(
    `prisma/schema.prisma has changes without a migration. Run: node bin/make-migration.mjs NAME\n\n${sql}`,
  );
  process.exit(1);
}
