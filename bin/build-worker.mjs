import { buildBundle } from "./build-bundle.mjs";

/** Builds the worker's bundle unless it is newer than all its sources. Returns its path. */
export function buildWorker() {
  return buildBundle({
    name: "worker.mjs",
    entry: "lib/worker/main.ts",
    sources: [
      "lib/worker",
      "lib/core",
      "lib/skill-format",
      "lib/policy",
      "package.json",
      "package-lock.json",
      "bin/build-worker.mjs",
    ],
    options: {
      format: "esm",
      plugins: [withoutLocales],
      // pino and its like are CommonJS and ask for Node's own modules by require.
      banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    },
  });
}

/** zod's messages in fifty languages are a quarter of the bundle, and the worker has no use for them. */
const withoutLocales = {
  name: "without-locales",
  setup({ onLoad }) {
    onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({ contents: "export {};" }));
  },
};
