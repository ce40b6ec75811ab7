import { requireNode } from "./require-node.mjs";

requireNode();
const { runMain } = await import("./run-main.mjs");
const { ensureInstalled } = await import("./prepare/install.mjs");
const { ensureGenerated } = await import("./prepare/generate.mjs");
const { buildWorker } = await import("./prepare/build.mjs");
const { launch } = await import("./serve/launch.mjs");
const { watchWorkerSources } = await import("./serve/watch-worker-sources.mjs");

await runMain(async ({ stopListening }) => {
  await ensureInstalled();
  await ensureGenerated();
  await buildWorker();
  stopListening();
  return launch({ dev: true, whileRunning: (services) => watchWorkerSources(services.restartWorker) });
});
