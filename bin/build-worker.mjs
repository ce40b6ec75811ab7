import { mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { root } from "./root.mjs";

const bundle = path.join(root, ".build", "worker.mjs");
const sources = [
  "lib/worker",
  "lib/core",
  "lib/skill-format",
  "package.json",
  "package-lock.json",
  "bin/build-worker.mjs",
];

/** Builds the worker's bundle unless it is newer than all its sources. Returns its path. */
export async function buildWorker() {
  const startedAt = new Date();
  if (isFresh()) return bundle;
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ["lib/worker/main.ts"],
    outfile: bundle,
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    target: "node20",
    alias: { "@": root },
    plugins: [withoutLocales],
    // pino and its like are CommonJS and ask for Node's own modules by require.
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    legalComments: "none",
    logLevel: "warning",
  });
  const temporary = `${bundle}.${process.pid}`;
  mkdirSync(path.dirname(bundle), { recursive: true });
  try {
    // By rename: another worker may be starting from it.
    writeFileSync(temporary, outputFiles[0].contents);
    // A source saved while it was built must count as newer.
    utimesSync(temporary, startedAt, startedAt);
    renameSync(temporary, bundle);
  } finally {
    rmSync(temporary, { force: true });
  }
  return bundle;
}

/** zod's messages in fifty languages are a quarter of the bundle, and the worker has no use for them. */
const withoutLocales = {
  name: "without-locales",
  setup({ onLoad }) {
    onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({ contents: "export {};" }));
  },
};

function isFresh() {
  const builtMs = modifiedMs(bundle);
  return sources.every((source) => newestMs(path.join(root, source)) < builtMs);
}

/** Directories count as well: removing or renaming a file changes theirs. */
function newestMs(file) {
  const ownMs = modifiedMs(file);
  if (!statSync(file).isDirectory()) return ownMs;
  const inside = readdirSync(file, { withFileTypes: true }).filter((entry) => !/\.test\.ts$/.test(entry.name));
  return Math.max(ownMs, ...inside.map((entry) => newestMs(path.join(file, entry.name))));
}

function modifiedMs(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
