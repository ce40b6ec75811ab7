import { pathToFileURL } from "node:url";
import { buildBundle } from "./build-bundle.mjs";

/** Builds the scan thread unless it is newer than all its sources. Returns its path. */
export function buildScanThread() {
  return buildBundle({
    name: "scan-thread.cjs",
    entry: "lib/review/scan/thread-main.ts",
    sources: [
      "lib/review/rules",
      "lib/review/scan",
      "lib/review/capabilities",
      "lib/policy",
      "lib/core",
      "lib/skill-format",
      "package-lock.json",
      "bin/build-scan-thread.mjs",
    ],
    // The thread runs this text, which Node reads as CommonJS.
    options: { format: "cjs" },
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await buildScanThread();
