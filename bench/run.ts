import { parseArgs } from "node:util";
import { benchCatalog } from "./catalog";
import { benchFormat } from "./format";
import type { BenchOptions } from "./harness/bench-options";
import { MissingBuild } from "./harness/start-product";
import { runOverhead } from "./run-overhead";
import { benchScan } from "./scan";

const BENCHES: Record<string, { about: string; run: (options: BenchOptions) => Promise<void> }> = {
  catalog: {
    about: "requests to a catalog of 20,000 entries against bare LIKE, and a cold sync against a shallow clone",
    run: benchCatalog,
  },
  format: { about: "the full reader of skills, against bare YAML parsing of the same frontmatters", run: benchFormat },
  "run-overhead": {
    about:
      "runs through POST /api/skills/{id}/runs with wait, in the sandbox and without, against raw spawn and raw bwrap",
    run: runOverhead,
  },
  scan: { about: "every scan rule against 400 KB of each hostile text", run: benchScan },
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: "boolean", default: false }, json: { type: "boolean", default: false } },
});
const bench = BENCHES[positionals[0] ?? ""];
if (bench) {
  await bench.run(values).catch((error: unknown) => {
    if (!(error instanceof MissingBuild)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  });
} else {
  console.error("usage: npm run bench -- NAME [--quick] [--json]");
  for (const [name, { about }] of Object.entries(BENCHES)) console.error(`  ${name}: ${about}`);
  process.exitCode = 2;
}
