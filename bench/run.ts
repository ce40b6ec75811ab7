import { parseArgs } from "node:util";
import { benchAgent } from "./agent";
import { benchAudit } from "./audit";
import { benchTamper } from "./audit-tamper";
import { benchCatalog } from "./catalog";
import { benchFormat } from "./format";
import type { BenchOptions } from "./harness/bench-options";
import { MissingBuild } from "./harness/start-product";
import { runOverhead } from "./run-overhead";
import { benchScan } from "./scan";
import { spawnSize } from "./spawn-size";

const BENCHES: Record<string, { about: string; run: (options: BenchOptions) => Promise<void> }> = {
  agent: {
    about: "an agent's preamble and MCP tools/list with 10, 1,000 and 20,000 skills of which 10 are on, in turns",
    run: benchAgent,
  },
  audit: { about: "pages of a timeline of a million events, and its verification", run: benchAudit },
  "audit-tamper": {
    about: "a thousand random tamperings with an audit, and how many a verification finds",
    run: benchTamper,
  },
  catalog: {
    about: "requests to a catalog of 20,000 entries against bare LIKE, and a cold sync against a shallow clone",
    run: benchCatalog,
  },
  format: { about: "the full reader of skills, against bare YAML parsing of the same frontmatters", run: benchFormat },
  "run-overhead": {
    about:
      "runs with wait, sandboxed cold and warm and without a sandbox, against raw spawn, raw bwrap and what else is installed",
    run: runOverhead,
  },
  scan: { about: "every scan rule against 400 KB of each hostile text", run: benchScan },
  "spawn-size": { about: "starting a process from a small process and from a large one", run: spawnSize },
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    only: { type: "string" },
    rounds: { type: "string" },
  },
});
const only = values.only?.split(",") ?? null;
const rounds = values.rounds === undefined ? null : Math.max(1, Number.parseInt(values.rounds, 10) || 1);
const bench = BENCHES[positionals[0] ?? ""];
if (bench) {
  await bench.run({ ...values, only, rounds }).catch((error: unknown) => {
    if (!(error instanceof MissingBuild)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  });
} else {
  console.error("usage: npm run bench -- NAME [--quick] [--json] [--only PART,…] [--rounds N]");
  for (const [name, { about }] of Object.entries(BENCHES)) console.error(`  ${name}: ${about}`);
  process.exitCode = 2;
}
