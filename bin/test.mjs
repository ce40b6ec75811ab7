import { requireNode } from "./require-node.mjs";

requireNode();
const { runMain } = await import("./run-main.mjs");
const { ensureInstalled } = await import("./prepare/install.mjs");
const { ensureGenerated } = await import("./prepare/generate.mjs");
const { checkSteps } = await import("./check/steps.mjs");
const { runSteps } = await import("./check/run-steps.mjs");
const { describeGaps, ensureBubblewrap } = await import("./test/system-tools.mjs");
const { markTestRun, testEnv } = await import("./test/test-run.mjs");
const { printSummary } = await import("./test/reports.mjs");
const { runBrowserTests, runPostgresTests, runVitest } = await import("./test/run-suites.mjs");
const { withPostgres } = await import("./postgres/start-postgres.mjs");

await runMain(async () => {
  await ensureInstalled({ development: true });
  await ensureGenerated();
  await ensureBubblewrap();
  const { env, endLeftovers } = markTestRun(testEnv(process.env));
  process.on("exit", endLeftovers);
  const results = [
    await runSteps(checkSteps()),
    await runVitest(env),
    ...(await withPostgres(env, async (withServer) => [await runPostgresTests(withServer)])),
    ...(await runBrowserTests(env)),
  ];
  return printSummary(results, describeGaps()) > 0 ? 1 : 0;
});
