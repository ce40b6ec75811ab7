import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { root } from "../root.mjs";
import { runCommand } from "../run-command.mjs";
import { withPrepareLock } from "./prepare-lock.mjs";
import { commandFailure, showProgress } from "./progress.mjs";
import { writeRouteTable } from "./route-table.mjs";
import { hashSources, readStamp, removeStamp, writeStamp } from "./stamp.mjs";

const stampFile = path.join(root, ".build", "generate.json");
const clients = ["generated", "postgres/generated"].map((folder) => path.join(root, "lib", "db", folder, "client.ts"));

/** Writes the route table, and generates the database client if it is missing or outdated. */
export async function ensureGenerated() {
  writeRouteTable();
  const wanted = schemaHash();
  if (isGenerated(wanted)) return;
  await withPrepareLock(path.join(root, ".build"), async () => {
    if (isGenerated(wanted)) return;
    removeStamp(stampFile);
    await showProgress("Generating the database client", generate);
    writeStamp(stampFile, { schema: wanted });
  });
}

async function generate() {
  const env = { ...process.env, CHECKPOINT_DISABLE: "1", PRISMA_HIDE_UPDATE_MESSAGE: "1" };
  const prisma = path.join(root, "node_modules", ".bin", "prisma");
  for (const schema of ["schema.prisma", "schema.postgresql.prisma"]) {
    const result = await runCommand(prisma, ["generate", "--schema", `prisma/${schema}`], { cwd: root, env });
    if (result.code !== 0) throw commandFailure("Generating the database client failed.", result);
  }
}

function isGenerated(wanted) {
  return readStamp(stampFile)?.schema === wanted && clients.every((file) => existsSync(file));
}

function schemaHash() {
  const schemas = readdirSync(path.join(root, "prisma")).filter((name) => name.endsWith(".prisma"));
  const generator = JSON.parse(readFileSync(path.join(root, "node_modules", "prisma", "package.json"), "utf8")).version;
  return `${generator} ${hashSources(root, ["prisma.config.ts", ...schemas.map((name) => `prisma/${name}`)])}`;
}
