import { createHash } from "node:crypto";
import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Failure } from "../failure.mjs";
import { root } from "../root.mjs";
import { runCommand } from "../run-command.mjs";
import { withPrepareLock } from "./prepare-lock.mjs";
import { commandFailure, showProgress } from "./progress.mjs";
import { readStamp, removeStamp, writeStamp } from "./stamp.mjs";

const modules = path.join(root, "node_modules");
const stampFile = path.join(modules, ".skillgate-install");
const lockFile = path.join(root, "package-lock.json");
const npmsOwnRecord = path.join(modules, ".package-lock.json");
const retryDelaysMs = [2_000, 8_000];

/**
 * Installs what running needs of package-lock.json, when it is not installed already; with `development` also what tests,
 * checks and benches need.
 */
export async function ensureInstalled({ development = false } = {}) {
  if (isInstalled(development)) return;
  await withPrepareLock(path.join(root, ".build"), async () => {
    if (isInstalled(development)) return;
    // After an npm install by hand only the stamp is missing.
    if (hasEveryPackage(root, { development }) && (await databaseDriverLoads())) {
      return writeStamp(stampFile, wanted(development));
    }
    refuseLinkedModules(modules);
    const addsOnly = development && isInstalled(false);
    removeStamp(stampFile);
    // Without npm's record, an interrupted install is not mistaken for a manual one.
    rmSync(npmsOwnRecord, { force: true });
    const what = addsOnly ? "Installing what tests need" : "Installing dependencies";
    await showProgress(what, () => installWithRetries({ development, addsOnly }));
    if (!(await databaseDriverLoads())) await showProgress("Compiling the database driver", compileDatabaseDriver);
    writeStamp(stampFile, wanted(development));
  });
}

/** npm would empty the target of a symbolic link, which other checkouts may use. */
export function refuseLinkedModules(folder) {
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  const target = existsSync(folder) ? realpathSync(folder) : "a folder that does not exist";
  throw new Failure(
    `${folder} is a symbolic link to ${target}, whose packages do not match package-lock.json.\nRun \`npm ci\` in the checkout that owns this folder, or remove the link and start again.`,
  );
}

function isInstalled(development) {
  const stamp = JSON.stringify(readStamp(stampFile));
  return stamp === JSON.stringify(wanted(true)) || (!development && stamp === JSON.stringify(wanted(false)));
}

/** Compiled packages depend on the Node ABI and the platform. */
function wanted(development) {
  const lock = createHash("sha256").update(readFileSync(lockFile)).digest("hex");
  return { lock, abi: process.versions.modules, platform: `${process.platform}-${process.arch}`, development };
}

async function installWithRetries(wish) {
  for (let attempt = 0; ; attempt++) {
    const result = await installFromLock(wish);
    if (result.code === 0) return;
    const canRetry = attempt < retryDelaysMs.length && !/EUSAGE|EACCES|ENOSPC|gyp ERR!/.test(result.output);
    if (!canRetry) throw commandFailure("Installing the dependencies failed.", result, hintFor(result.output));
    await delay(retryDelaysMs[attempt]);
  }
}

async function installFromLock({ development, addsOnly }) {
  const options = [development ? "--include=dev" : "--omit=dev", "--no-audit", "--no-fund"];
  if (addsOnly) return npm("install", "--no-save", ...options);
  const result = await npm("ci", ...options);
  if (result.code === 0 || !lacksOnlyOptionalPackages(result.output, readLock())) return result;
  // Unlike `npm ci`, this treats partly installed folders as installed.
  for (const name of listModules()) rmSync(path.join(modules, name), { recursive: true, force: true });
  return npm("install", "--no-save", ...options);
}

// Needed where npm is configured to skip install scripts.
async function compileDatabaseDriver() {
  const result = await npm("rebuild", "better-sqlite3", "--ignore-scripts=false");
  if (result.code !== 0 || !(await databaseDriverLoads())) {
    throw commandFailure("Compiling better-sqlite3 failed.", result, hintFor(`gyp ERR! ${result.output}`));
  }
}

async function databaseDriverLoads() {
  if (!existsSync(path.join(modules, "better-sqlite3"))) return false;
  const probe = 'new (require("better-sqlite3"))(":memory:").close()';
  return (await runCommand(process.execPath, ["-e", probe], { cwd: root })).code === 0;
}

function npm(...args) {
  // NODE_ENV=production would omit packages for builds and tests.
  const { NODE_ENV: _, npm_execpath: npmProgram, ...env } = process.env;
  if (npmProgram?.endsWith("npm-cli.js"))
    return runCommand(process.execPath, [npmProgram, ...args], { cwd: root, env });
  return runCommand("npm", args, { cwd: root, env });
}

function listModules() {
  return existsSync(modules) ? readdirSync(modules) : [];
}

function readLock() {
  return JSON.parse(readFileSync(lockFile, "utf8"));
}

function hintFor(output) {
  if (output.includes("EUSAGE"))
    return "package.json and package-lock.json disagree: run `npm install` and commit both.";
  if (output.includes("gyp ERR!")) {
    return "better-sqlite3 had to be compiled: install python3, make and g++ (Debian: apt-get install python3 make g++), then start again.";
  }
  return "Check the network and npm's settings, then start again. An incomplete install is never used.";
}

/**
 * Whether `npm ci` rejected a lock file only for missing optional packages, such as those of other platforms that a
 * registry does not carry. `npm install` takes everything else from the lock.
 */
export function lacksOnlyOptionalPackages(output, lock) {
  if (!output.includes("EUSAGE") || output.includes("Invalid: ")) return false;
  const missing = [...output.matchAll(/Missing: (\S+)@\S* from lock file/g)].map(([, name]) => name);
  const optional = new Set(
    Object.values(lock.packages).flatMap(({ optionalDependencies }) => Object.keys(optionalDependencies ?? {})),
  );
  return missing.length > 0 && missing.every((name) => optional.has(name));
}

/**
 * Whether node_modules has each package of package-lock.json in its exact version, by npm's record of its last install.
 * Packages that only development needs count with `development`.
 */
export function hasEveryPackage(root, { development = true } = {}) {
  const wanted = readPackages(path.join(root, "package-lock.json"));
  const present = readPackages(path.join(root, "node_modules", ".package-lock.json"));
  if (!wanted || !present) return false;
  return Object.entries(wanted).every(([folder, { version, integrity, optional, dev, devOptional }]) => {
    if (folder === "") return true;
    const found = present[folder];
    // Optional packages may be for other platforms.
    if (!found) return Boolean(optional || devOptional || (dev && !development));
    const same = found.version === version && found.integrity === integrity;
    return same && existsSync(path.join(root, folder, "package.json"));
  });
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8")).packages ?? null;
  } catch {
    // A missing or truncated record proves nothing.
    return null;
  }
}
