import { pathToFileURL } from "node:url";
import { buildBundle } from "./build-bundle.mjs";

const shared = ["lib/core", "lib/policy", "lib/skill-format", "package-lock.json", "bin/build-programs.mjs"];
/** Node keeps a program's text in memory. Names stay for readable stacks. */
const small = { minifyWhitespace: true, minifySyntax: true, lineLimit: 160 };

/** The threads by the names of their programs in `.build`. */
const THREADS = {
  "scan-thread": { entry: "lib/review/scan/thread-main.ts", sources: ["lib/review", ...shared] },
  "task-thread": { entry: "lib/core/threads/task-thread-main.ts", sources: shared },
  "catalog-thread": {
    entry: "lib/catalog/thread/thread-main.ts",
    sources: ["lib/catalog", ...shared],
    options: small,
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

/** Builds the worker, its folder reader and the recorder of its dry runs unless they are newer than all their sources. Returns the worker's path. */
export async function buildWorker() {
  await buildWorkerProgram("worker-reader.cjs", "lib/worker/inventory/reader-main.ts");
  await buildWorkerProgram("worker-recorder.cjs", "lib/worker/analysis/recorder-main.ts");
  return buildWorkerProgram("worker.mjs", "lib/worker/main.ts", {
    format: "esm",
    // pino and other CommonJS packages `require` Node's modules.
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  });
}

function buildWorkerProgram(name, entry, options = { format: "cjs" }) {
  const sources = ["lib/worker", "package.json", ...shared];
  return buildBundle({ name, entry, sources, options: { ...small, plugins: [withoutLocales], ...options } });
}

/** zod's translations are a quarter of the bundle, and the worker does not use them. */
const withoutLocales = {
  name: "without-locales",
  setup({ onLoad }) {
    onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({ contents: "export {};" }));
  },
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await buildThread(process.argv[2]);
