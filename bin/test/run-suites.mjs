import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { root } from "../root.mjs";
import { runCommand } from "../run-command.mjs";
import { countPlaywright, countVitest, settle } from "./count-results.mjs";

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

/** Journeys two at a time; what kills processes and watches clocks has the machine to itself. */
const BROWSER_RUNS = [
  { folders: ["e2e/journeys", "e2e/pages"], workers: 2 },
  { folders: ["e2e/faults"], workers: 1 },
];

/** The outcome of each run, in order. */
export async function runPlaywright(env) {
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
