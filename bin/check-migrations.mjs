// Fails when prisma/schema.prisma has changes without a migration, or its PostgreSQL twin is stale.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { diffSchemas, readModels } from "./migrations/schema-engine.mjs";

const root = join(import.meta.dirname, "..", "prisma");
const problems = [];
for (const { provider, model, snapshot } of await readModels(root)) {
  const sql = await diffSchemas(provider, snapshot, model);
  if (!sql.includes("This is an empty migration")) problems.push(`There is no migration for ${provider} of:\n${sql}`);
  if (provider === "postgresql" && (await readFile(join(root, "schema.postgresql.prisma"), "utf8")) !== model) {
    problems.push("prisma/schema.postgresql.prisma is not what is made out of prisma/schema.prisma.");
  }
}
if (problems.length > 0) {
  console.error(`${problems.join("\n\n")}\n\nRun: node bin/make-migration.mjs NAME`);
  process.exit(1);
}
