import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { runSteps } from "../check/run-steps.mjs";
import { builtSteps } from "../check/steps.mjs";
import { ensureBuilt } from "../prepare/build.mjs";
import { root } from "../root.mjs";
import { runCommand } from "../run-command.mjs";
import { countPlaywright, countVitest, filesToRetry, mergeRetry, settle } from "./reports.mjs";
import { findOrInstallChromium } from "./system-tools.mjs";

export function runVitest(env) {
  return runVitestFiles(env, { report: "vitest.json", files: [] });
}

/** Tests with a database, on the server of `TEST_DATABASE_URL`; all without `files`. */
export function runPostgresTests(env, files = []) {
  const chosen = files.length > 0 ? files : listTestsWithDatabase(root);
  return runVitestFiles(env, { report: "vitest-postgres.json", files: chosen });
}

async function runVitestFiles(env, { report, files }) {
  const name = "vitest";
  const attempt = async (chosen) => {
    const file = path.join(root, ".build", report);
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
    return await runSuite({ name, args: ["run", ...reporters, ...chosen], env, report: file });
  };
  const first = await attempt(files);
  const again = env.CI && first.report ? filesToRetry(first.report) : [];
  if (again.length === 0) return settle(first.report && countVitest(first.report), { name, code: first.code });
  console.log(`Once more: ${again.map((file) => path.relative(root, file)).join(", ")}`);
  const second = await attempt(again);
  const merged = second.report && mergeRetry(first.report, second.report);
  return settle(merged && countVitest(merged), { name, code: second.code });
}

/** Checks the build and runs the browser tests on it; a reason that prevents them counts as one failure. */
export async function runBrowserTests(env) {
  const { file, problem } = await findOrInstallChromium();
  if (problem) return [notRun(problem)];
  try {
    await ensureBuilt();
  } catch (error) {
    return [notRun([error.details, error.message].filter(Boolean).join("\n"))];
  }
  return [await runSteps(builtSteps()), ...(await runPlaywright({ ...env, PLAYWRIGHT_CHROMIUM_PATH: file }))];
}

function notRun(reason) {
  return { passed: 0, failed: 1, skipped: 0, failures: [`the browser tests could not run: ${reason}`] };
}

/** Journeys run two at a time; tests that kill processes or measure time run alone. */
const BROWSER_RUNS = [
  { folders: ["e2e/journeys", "e2e/pages"], workers: 2 },
  { folders: ["e2e/faults"], workers: 1 },
];

async function runPlaywright(env) {
  const results = [];
  for (const { folders, workers } of BROWSER_RUNS) {
    const report = path.join(root, ".build", "playwright.json");
    const name = "playwright";
    const ran = await runSuite({
      name,
      args: ["test", ...folders, `--workers=${workers}`, "--reporter=list,json"],
      env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
      report,
    });
    results.push(settle(ran.report && countPlaywright(ran.report), { name, code: ran.code }));
  }
  return results;
}

async function runSuite({ name, args, env, report }) {
  rmSync(report, { force: true });
  const program = path.join(root, "node_modules", ".bin", name);
  const { code } = await runCommand(program, args, { cwd: root, env, echo: true });
  return { code, report: readReport(report) };
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    console.error(`There is no usable report in ${file}: ${error.message}`);
    return null;
  }
}

const FRESH = "lib/testing/fresh-database.ts";
const IMPORT = /(?:from|import)\s*\(?\s*"((?:@\/|\.)[^"]+)"/g;

/** Test files whose imports reach the database, without those about SQLite's file, `*.sqlite.test.ts`. */
export function listTestsWithDatabase(root) {
  const importers = new Map();
  const seen = new Set();
  const tests = ["app", "lib", "prisma", "bench"].flatMap((folder) => listTests(root, folder));
  const unread = [...tests];
  for (let file = unread.pop(); file !== undefined; file = unread.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    for (const target of importsOf(root, file)) {
      importers.set(target, [...(importers.get(target) ?? []), file]);
      unread.push(target);
    }
  }
  const reached = new Set([FRESH]);
  for (const file of reached) for (const importer of importers.get(file) ?? []) reached.add(importer);
  return tests.filter((file) => reached.has(file) && !file.includes(".sqlite.test."));
}

function importsOf(root, file) {
  const names = [...readFileSync(path.join(root, file), "utf8").matchAll(IMPORT)];
  return names.map(([, name]) => resolve(root, file, name)).filter((target) => target !== null);
}

function resolve(root, file, name) {
  const bare = name.startsWith("@/") ? name.slice(2) : path.join(path.dirname(file), name);
  const candidates = [bare, `${bare}.ts`, `${bare}.tsx`];
  return candidates.find((place) => /\.tsx?$/.test(place) && existsSync(path.join(root, place))) ?? null;
}

function listTests(root, folder) {
  return readdirSync(path.join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.test\.tsx?$/.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath ?? entry.path, entry.name)));
}
