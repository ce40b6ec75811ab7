import { watch } from "node:fs";
import path from "node:path";
import { buildWorker } from "../prepare/build.mjs";
import { root } from "../root.mjs";

// Modules that the worker may import, see .dependency-cruiser.cjs.
const modules = ["worker", "core", "skill-format", "policy"];
const settleMs = 200;

/**
 * Rebuilds the worker when its sources change, then calls `restart`. After a failed build the old worker keeps running.
 */
export function watchWorkerSources(restart) {
  let timer = null;
  let building = Promise.resolve();
  const rebuildSoon = (_event, file) => {
    if (file && /\.test\.ts$/.test(file)) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      building = building.then(rebuild);
    }, settleMs);
  };
  async function rebuild() {
    try {
      await buildWorker();
      await restart();
      console.error("The worker was rebuilt and restarted.");
    } catch (error) {
      console.error("The worker was not rebuilt:", error.message);
    }
  }
  const watchers = modules.map((module) => watch(path.join(root, "lib", module), { recursive: true }, rebuildSoon));
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}
