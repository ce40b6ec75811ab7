import { pathToFileURL } from "node:url";
import { buildBundle } from "./build-bundle.mjs";

/** Builds the task thread unless it is newer than all its sources. Returns its path. */
export function buildTaskThread() {
  return buildBundle({
    name: "task-thread.cjs",
    entry: "lib/core/threads/task-thread-main.ts",
    sources: ["lib/core/threads", "package-lock.json", "bin/build-task-thread.mjs"],
    // The thread runs this text, which Node reads as CommonJS.
    options: { format: "cjs" },
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await buildTaskThread();
