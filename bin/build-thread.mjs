import { pathToFileURL } from "node:url";
import { buildBundle } from "./build-bundle.mjs";

const shared = ["lib/core", "lib/policy", "lib/skill-format", "package-lock.json", "bin/build-thread.mjs"];
/** The threads by the names of their programs in `.build`. */
const THREADS = {
  "scan-thread": { entry: "lib/review/scan/thread-main.ts", sources: ["lib/review", ...shared] },
  "task-thread": { entry: "lib/core/threads/task-thread-main.ts", sources: shared },
  "catalog-thread": {
    entry: "lib/catalog/thread/thread-main.ts",
    sources: ["lib/catalog", ...shared],
    options: { minifyWhitespace: true, minifySyntax: true, lineLimit: 160 },
  },
};

/** Builds the program of a worker thread unless it is newer than all its sources. Returns its path. */
export function buildThread(name) {
  const { entry, sources, options } = THREADS[name];
  // The thread runs this text, which Node reads as CommonJS.
  return buildBundle({ name: `${name}.cjs`, entry, sources, options: { format: "cjs", ...options } });
}

/** Builds the programs of all worker threads. */
export function buildThreads() {
  return Promise.all(Object.keys(THREADS).map(buildThread));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await buildThread(process.argv[2]);
