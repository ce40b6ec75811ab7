import { requireNode } from "./require-node.mjs";

requireNode();
const { runMain } = await import("./run-main.mjs");
const { ensureInstalled } = await import("./prepare/install.mjs");
const { ensureGenerated } = await import("./prepare/generate.mjs");
const { checkSteps } = await import("./check/steps.mjs");
const { runSteps } = await import("./check/run-steps.mjs");

await runMain(async () => {
  await ensureInstalled({ development: true });
  await ensureGenerated();
  const { failed } = await runSteps(checkSteps());
  return failed > 0 ? 1 : 0;
});
