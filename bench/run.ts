import { parseArgs } from "node:util";
import { benchFormat } from "./format";
import type { BenchOptions } from "./harness/bench-options";
import { MissingBuild } from "./harness/start-product";
import { runOverhead } from "./run-overhead";

const BENCHES: Record<string, { about: string; run: (options: BenchOptions) => Promise<void> }> = {
  format: { about: "the full reader of skills, against bare YAML parsing of the same frontmatters", run: benchFormat },
  "run-overhead": {
    about: "runs through POST /api/skills/{id}/runs with wait, against spawning the same executable from Node",
    run: runOverhead,
  },
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
