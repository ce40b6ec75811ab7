import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { root } from "../root.mjs";
import { runCommand } from "../run-command.mjs";
import { withPrepareLock } from "./prepare-lock.mjs";
import { commandFailure, showProgress } from "./progress.mjs";
import { writeRouteTable } from "./route-table.mjs";
import { hashSources, readStamp, removeStamp, writeStamp } from "./stamp.mjs";

const stampFile = path.join(root, ".build", "generate.json");
const commandLine = path.join(root, "node_modules", ".bin", "prisma");
const folders = { "schema.prisma": "generated", "schema.postgresql.prisma": "postgres/generated" };

/**
 * Writes the route table, and generates the database client if it is missing or outdated: with its types where the
 * packages for development are installed.
 */
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
  for (const [schema, name] of Object.entries(folders)) {
    const folder = path.join(root, "lib", "db", name);
    rmSync(folder, { recursive: true, force: true });
    if (!hasCommandLine()) {
      const { writeClient } = await import("./write-client.mjs");
      writeClient(path.join(root, "prisma", schema), folder);
      continue;
    }
    const result = await runCommand(commandLine, ["generate", "--schema", `prisma/${schema}`], { cwd: root, env });
    if (result.code !== 0) throw commandFailure("Generating the database client failed.", result);
  }
}

function hasCommandLine() {
  return existsSync(commandLine);
}

function isGenerated(wanted) {
  const files = Object.values(folders).map((folder) => path.join(root, "lib", "db", folder, "client.ts"));
  return readStamp(stampFile)?.schema === wanted && files.every((file) => existsSync(file));
}

function schemaHash() {
  const schemas = readdirSync(path.join(root, "prisma")).filter((name) => name.endsWith(".prisma"));
  const packageFile = path.join(root, "node_modules", "@prisma", "client", "package.json");
  const { version } = JSON.parse(readFileSync(packageFile, "utf8"));
  const sources = ["prisma.config.ts", "bin/prepare/write-client.mjs", ...schemas.map((name) => `prisma/${name}`)];
  return `${version} ${hasCommandLine() ? "typed" : "untyped"} ${hashSources(root, sources)}`;
}
