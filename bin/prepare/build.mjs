import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { root } from "../root.mjs";
import { runCommand } from "../run-command.mjs";
import { withPrepareLock } from "./prepare-lock.mjs";
import { commandFailure, showProgress } from "./progress.mjs";
import { hashSources, readStamp, removeStamp, writeStamp } from "./stamp.mjs";

const stampFile = path.join(root, ".build", "stamp.json");
const workerFile = path.join(root, ".build", "worker.mjs");
const workerReaderFile = path.join(root, ".build", "worker-reader.cjs");
const workerRecorderFile = path.join(root, ".build", "worker-recorder.cjs");
const builtinsFile = path.join(root, ".build", "builtins", "manifest.json");
const serverFile = path.join(root, ".build", "server", "main.mjs");
const scanThreadFile = path.join(root, ".build", "scan-thread.cjs");
const catalogThreadFile = path.join(root, ".build", "catalog-thread.cjs");
const taskThreadFile = path.join(root, ".build", "task-thread.cjs");

const sources = [
  "app",
  "components",
  "lib",
  "prisma/schema.prisma",
  "prisma/migrations",
  "public",
  "bin/build-bundle.mjs",
  "bin/build-server.mjs",
  "bin/build-programs.mjs",
  "bin/build-builtins.mjs",
  "bin/prepare/route-table.mjs",
  "instrumentation.ts",
  "instrumentation-client.ts",
  "next.config.mjs",
  "package.json",
  "package-lock.json",
  "postcss.config.mjs",
  "proxy.tsx",
  "security-headers.mjs",
  "tsconfig.json",
];

/** Builds the web application and the worker if their sources changed. */
export async function ensureBuilt() {
  if (isBuilt(hashBuildSources())) return;
  await withPrepareLock(path.join(root, ".build"), async () => {
    const wanted = hashBuildSources();
    if (isBuilt(wanted)) return;
    removeStamp(stampFile);
    await showProgress("Building the pages", buildWeb);
    await showProgress("Building the server", buildServer);
    await showProgress("Building the worker", buildWorker);
    await showProgress("Building the threads", buildThreads);
    writeStamp(stampFile, { sources: wanted, buildId: readBuildId() });
  });
}

/** The worker reads the built-ins beside its bundle. */
export async function buildWorker() {
  const { buildWorker } = await import("../build-programs.mjs");
  const { buildBuiltins } = await import("../build-builtins.mjs");
  await buildBuiltins();
  return buildWorker();
}

async function buildServer() {
  const { buildServer } = await import("../build-server.mjs");
  return buildServer();
}

async function buildThreads() {
  const { buildThreads } = await import("../build-programs.mjs");
  await buildThreads();
}

function hashBuildSources() {
  return hashSources(root, sources, { skip: isNotBuilt });
}

function isNotBuilt(file) {
  return /^lib\/db\/(postgres\/)?generated$/.test(file) || /(\/(testing|fixtures)$|\.test\.tsx?$)/.test(file);
}

// The build id detects a manual `next build`, which the stamp does not describe.
function isBuilt(wanted) {
  const stamp = readStamp(stampFile);
  const files = [
    serverFile,
    workerFile,
    workerReaderFile,
    workerRecorderFile,
    builtinsFile,
    scanThreadFile,
    catalogThreadFile,
    taskThreadFile,
  ];
  return stamp?.sources === wanted && stamp.buildId === readBuildId() && files.every((file) => existsSync(file));
}

function readBuildId() {
  const file = path.join(root, process.env.NEXT_DIST_DIR ?? ".next", "BUILD_ID");
  return existsSync(file) ? readFileSync(file, "utf8") : null;
}

async function buildWeb() {
  const env = { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" };
  const result = await runCommand(path.join(root, "node_modules", ".bin", "next"), ["build"], { cwd: root, env });
  if (result.code !== 0) throw commandFailure("Building the web application failed.", result);
}
