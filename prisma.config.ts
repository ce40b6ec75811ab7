import { fileURLToPath } from "node:url";
import { defineConfig } from "prisma-cli/config";

// `prisma generate` needs no schema engine but insists on downloading one; any existing file satisfies it, which keeps
// generating possible without a network. Other commands are left alone for people who have the engine.
if (process.argv.includes("generate")) {
  process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= fileURLToPath(import.meta.url);
}

export default defineConfig({
  schema: "prisma/schema.prisma",
  migrations: { path: "prisma/migrations/sqlite" },
});
