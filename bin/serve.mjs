// Starts the built server without npm, compiler or network, for containers and service managers.
import { existsSync } from "node:fs";
import path from "node:path";
import { requireNode } from "./require-node.mjs";

requireNode();
const { Failure } = await import("./failure.mjs");
const { root } = await import("./root.mjs");
const { runMain } = await import("./run-main.mjs");
const { launch } = await import("./serve/launch.mjs");

await runMain(async ({ stopListening }) => {
  const needed = [
    path.join(process.env.NEXT_DIST_DIR ?? ".next", "BUILD_ID"),
    ".build/server/main.mjs",
    ".build/worker.mjs",
    ".build/worker-reader.cjs",
    ".build/worker-recorder.cjs",
    ".build/scan-thread.cjs",
    ".build/catalog-thread.cjs",
    ".build/task-thread.cjs",
  ];
  const missing = needed.filter((file) => !existsSync(path.join(root, file)));
  if (missing.length > 0) {
    throw new Failure(`Not built: ${missing.join(", ")} is missing. Run node bin/build.mjs first, or use npm start.`);
  }
  stopListening();
  return launch();
});
