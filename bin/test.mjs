import { requireNode } from "./require-node.mjs";

requireNode();
const { runMain } = await import("./run-main.mjs");
const { ensureInstalled } = await import("./prepare/install.mjs");
const { ensureGenerated } = await import("./prepare/generate.mjs");
const { ensureBuilt } = await import("./prepare/build.mjs");
const { checkSteps } = await import("./check/steps.mjs");
const { runSteps } = await import("./check/run-steps.mjs");
const { ensureBubblewrap } = await import("./test/ensure-bubblewrap.mjs");
const { findOrInstallChromium } = await import("./test/find-chromium.mjs");
const { markTestRun } = await import("./test/end-leftovers.mjs");
const { printSummary } = await import("./test/print-summary.mjs");
const { runPlaywright, runVitest } = await import("./test/run-suites.mjs");
const { testEnv } = await import("./test/test-env.mjs");

await runMain(async () => {
  await ensureInstalled();
  await ensureGenerated();
  await ensureBubblewrap();
  const { env, endLeftovers } = markTestRun(testEnv(process.env));
  process.on("exit", endLeftovers);
  const results = [await runSteps(checkSteps()), await runVitest(env), ...(await runBrowserTests(env))];
  return printSummary(results) > 0 ? 1 : 0;
});

/** What keeps the browser tests from running at all is one failure, so that it cannot pass for success. */
async function runBrowserTests(env) {
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
