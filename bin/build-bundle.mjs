import { mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { root } from "./root.mjs";

/**
 * Bundles a TypeScript program into `.build/<name>` unless it is newer than all its sources. Folders count with
 * everything inside except tests and fixtures. `options` are for esbuild. Returns the bundle's path.
 */
export async function buildBundle({ name, entry, sources, options }) {
  const bundle = path.join(root, ".build", name);
  const startedAt = new Date();
  if (isFresh(bundle, sources)) return bundle;
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile: bundle,
    bundle: true,
    write: false,
    platform: "node",
    target: "node20",
    alias: { "@": root },
    legalComments: "none",
    logLevel: "warning",
    ...options,
  });
  const temporary = `${bundle}.${process.pid}`;
  mkdirSync(path.dirname(bundle), { recursive: true });
  try {
    // Renamed into place, since another process may be starting from it.
    writeFileSync(temporary, outputFiles[0].contents);
    // A source saved during the build must count as newer.
    utimesSync(temporary, startedAt, startedAt);
    renameSync(temporary, bundle);
  } finally {
    rmSync(temporary, { force: true });
  }
  return bundle;
}

/** Whether a built file is newer than all its sources. */
export function isFresh(bundle, sources) {
  const builtMs = modifiedMs(bundle);
  return ["bin/build-bundle.mjs", ...sources].every((source) => newestMs(path.join(root, source)) < builtMs);
}

/** Folders count too: removing or renaming a file changes theirs. */
function newestMs(file) {
  const ownMs = modifiedMs(file);
  if (!statSync(file).isDirectory()) return ownMs;
  const inside = readdirSync(file, { withFileTypes: true }).filter(
    (entry) => !/\.test\.ts$/.test(entry.name) && entry.name !== "fixtures",
  );
  return Math.max(ownMs, ...inside.map((entry) => newestMs(path.join(file, entry.name))));
}

function modifiedMs(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
