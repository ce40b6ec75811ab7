// npm run test:postgres: all tests with a database, on PostgreSQL. `--unit` omits browser tests; other arguments are
// files.
import { requireNode } from "./require-node.mjs";

requireNode();
const { runMain } = await import("./run-main.mjs");
const { ensureInstalled } = await import("./prepare/install.mjs");
const { ensureGenerated } = await import("./prepare/generate.mjs");
const { markTestRun, testEnv } = await import("./test/test-run.mjs");
const { printSummary } = await import("./test/reports.mjs");
const { runBrowserTests, runPostgresTests } = await import("./test/run-suites.mjs");
const { withPostgres } = await import("./postgres/start-postgres.mjs");

await runMain(async () => {
  const args = process.argv.slice(2);
  const files = args.filter((arg) => !arg.startsWith("--"));
  await ensureInstalled({ development: true });
  await ensureGenerated();
  const { env, endLeftovers } = markTestRun(testEnv(process.env));
  process.on("exit", endLeftovers);
  const results = await withPostgres(env, async (withServer) => {
    const unit = await runPostgresTests(withServer, files);
    if (files.length > 0 || args.includes("--unit")) return [unit];
    return [unit, ...(await runBrowserTests(withServer))];
  });
  return printSummary(results) > 0 ? 1 : 0;
});
