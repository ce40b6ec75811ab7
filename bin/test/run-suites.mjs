import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { listTestsWithDatabase } from "../postgres/tests-with-database.mjs";
import { ensureBuilt } from "../prepare/build.mjs";
import { root } from "../root.mjs";
import { runCommand } from "../run-command.mjs";
import { countPlaywright, countVitest, settle } from "./count-results.mjs";
import { findOrInstallChromium } from "./find-chromium.mjs";

export function runVitest(env) {
  const report = path.join(root, ".build", "vitest.json");
  return runSuite({
    name: "vitest",
    args: ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`],
    env,
    report,
    count: countVitest,
  });
}

/** The tests that have a database, on the server that `TEST_DATABASE_URL` names; all of them without `files`. */
export function runPostgresTests(env, files = []) {
  const report = path.join(root, ".build", "vitest-postgres.json");
  const chosen = files.length > 0 ? files : listTestsWithDatabase(root);
  return runSuite({
    name: "vitest",
    args: ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`, ...chosen],
    env,
    report,
    count: countVitest,
  });
}

/** The browser tests against what is built; what keeps them from running at all is one failure. */
export async function runBrowserTests(env) {
  const { file, problem } = await findOrInstallChromium();
  if (problem) return [notRun(problem)];
  try {
    await ensureBuilt();
  } catch (error) {
    return [notRun([error.details, error.message].filter(Boolean).join("\n"))];
  }
  return runPlaywright({ ...env, PLAYWRIGHT_CHROMIUM_PATH: file });
}

function notRun(reason) {
  return { passed: 0, failed: 1, skipped: 0, failures: [`the browser tests could not run: ${reason}`] };
}

/** Journeys two at a time; what kills processes and watches clocks has the machine to itself. */
const BROWSER_RUNS = [
  { folders: ["e2e/journeys", "e2e/pages"], workers: 2 },
  { folders: ["e2e/faults"], workers: 1 },
];

async function runPlaywright(env) {
  const results = [];
  for (const { folders, workers } of BROWSER_RUNS) {
    const report = path.join(root, ".build", "playwright.json");
    results.push(
      await runSuite({
        name: "playwright",
        args: ["test", ...folders, `--workers=${workers}`, "--reporter=list,json"],
        env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
        report,
        count: countPlaywright,
      }),
    );
  }
  return results;
}

async function runSuite({ name, args, env, report, count }) {
  rmSync(report, { force: true });
  const program = path.join(root, "node_modules", ".bin", name);
  const { code } = await runCommand(program, args, { cwd: root, env, echo: true });
  return settle(readReport(report, count), { name, code });
}

function readReport(file, count) {
  try {
    return count(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    console.error(`There is no usable report in ${file}: ${error.message}`);
    return null;
  }
}
