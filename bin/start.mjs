import { requireNode } from "./require-node.mjs";

requireNode();
const { runMain } = await import("./run-main.mjs");
const { ensureInstalled } = await import("./prepare/install.mjs");
const { ensureGenerated } = await import("./prepare/generate.mjs");
const { ensureBuilt } = await import("./prepare/build.mjs");
const { launch } = await import("./serve/launch.mjs");

await runMain(async ({ stopListening }) => {
  await ensureInstalled();
  await ensureGenerated();
  await ensureBuilt();
  stopListening();
  return launch();
});
