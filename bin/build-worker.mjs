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
/** Node keeps the text of a program in memory. Names stay, so that stacks can be read. */
const options = { minifyWhitespace: true, minifySyntax: true, lineLimit: 160 };

/** Builds the worker's bundle and that of its folder reader unless they are newer than all their sources. Returns the former's path. */
export async function buildWorker() {
  await buildBundle({
    name: "worker-reader.cjs",
    entry: "lib/worker/inventory/reader-main.ts",
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
