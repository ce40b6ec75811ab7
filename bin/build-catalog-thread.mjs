import { pathToFileURL } from "node:url";
import { buildBundle } from "./build-bundle.mjs";

/** Builds the catalog thread unless it is newer than all its sources. Returns its path. */
export function buildCatalogThread() {
  return buildBundle({
    name: "catalog-thread.cjs",
    entry: "lib/catalog/thread/thread-main.ts",
    sources: [
      "lib/catalog",
      "lib/core",
      "lib/policy",
      "lib/skill-format",
      "package-lock.json",
      "bin/build-catalog-thread.mjs",
    ],
    // The thread runs this text, which Node reads as CommonJS.
    options: { format: "cjs", minifyWhitespace: true, minifySyntax: true, lineLimit: 160 },
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await buildCatalogThread();
