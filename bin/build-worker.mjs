import { buildBundle } from "./build-bundle.mjs";

const sources = [
  "lib/worker",
  "lib/core",
  "lib/skill-format",
  "lib/policy",
  "package.json",
  "package-lock.json",
  "bin/build-worker.mjs",
];
/** Node keeps a program's text in memory. Names stay for readable stacks. */
const options = { minifyWhitespace: true, minifySyntax: true, lineLimit: 160 };

/** Builds the worker, its folder reader and the recorder of its dry runs unless they are newer than all their sources. Returns the worker's path. */
export async function buildWorker() {
  await buildBundle({
    name: "worker-reader.cjs",
    entry: "lib/worker/inventory/reader-main.ts",
    sources,
    options: { ...options, format: "cjs", plugins: [withoutLocales] },
  });
  await buildBundle({
    name: "worker-recorder.cjs",
    entry: "lib/worker/analysis/recorder-main.ts",
    sources,
    options: { ...options, format: "cjs", plugins: [withoutLocales] },
  });
  return buildBundle({
    name: "worker.mjs",
    entry: "lib/worker/main.ts",
    sources,
    options: {
      ...options,
      format: "esm",
      plugins: [withoutLocales],
      // pino and other CommonJS packages `require` Node's modules.
      banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    },
  });
}

/** zod's translations are a quarter of the bundle, and the worker does not use them. */
const withoutLocales = {
  name: "without-locales",
  setup({ onLoad }) {
    onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({ contents: "export {};" }));
  },
};
