// Generates and builds everything that `node bin/serve.mjs` starts. Requires installed packages.
import { requireNode } from "./require-node.mjs";

requireNode();
const { runMain } = await import("./run-main.mjs");
const { ensureGenerated } = await import("./prepare/generate.mjs");
const { ensureBuilt } = await import("./prepare/build.mjs");

await runMain(async () => {
  await ensureGenerated();
  await ensureBuilt();
  return 0;
});
