import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { toPostgres } from "./postgres-schema.mjs";

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
