import { parseArgs } from "node:util";
import { benchAgent } from "./agent";
import { benchArchives } from "./archives";
import { benchAudit } from "./audit";
import { benchTamper } from "./audit-tamper";
import { benchBackup } from "./backup";
import { benchCatalog } from "./catalog";
import { benchClock } from "./clock";
import { benchDiskFull } from "./disk-full";
import { benchEdits } from "./edits";
import { benchFormat } from "./format";
import { benchGuesses } from "./guesses";
import type { BenchOptions } from "./harness/bench-options";
import { MissingBuild } from "./harness/product-processes";
import { benchInstances } from "./instances";
import { benchKills } from "./kills";
import { benchLighthouse } from "./lighthouse";
import { benchLoad } from "./load";
import { benchMalformed } from "./malformed";
import { benchMigrations } from "./migrations";
import { runOverhead } from "./run-overhead";
import { benchScan } from "./scan";
import { spawnSize } from "./spawn-size";

const BENCHES: Record<string, { about: string; run: (options: BenchOptions) => Promise<void> }> = {
  agent: {
    about: "an agent's preamble and MCP tools/list with 10, 1,000 and 20,000 skills of which 10 are on, in turns",
    run: benchAgent,
  },
  archives: {
    about: "the first archives after a start, under load, against a server that keeps none on disk",
    run: benchArchives,
  },
  audit: { about: "pages of a timeline of a million events, and its verification", run: benchAudit },
  "audit-tamper": {
    about: "a thousand random tamperings with an audit, and how many a verification finds",
    run: benchTamper,
  },
  backup: { about: "backups of a server that is written to, restored and compared", run: benchBackup },
  catalog: {
    about: "requests to a catalog of 20,000 entries against bare LIKE, and a cold sync against a shallow clone",
    run: benchCatalog,
  },
  "disk-full": { about: "a full disk under a server that is written to (as root)", run: benchDiskFull },
  clock: { about: "a clock that jumps: what is lost, runs twice or stands still", run: benchClock },
  edits: { about: "32 clients that change the same things at the same time: is any update lost", run: benchEdits },
  format: { about: "the full reader of skills, against bare YAML parsing of the same frontmatters", run: benchFormat },
  guesses: { about: "10,000 sign-in guesses at one account, and from one address", run: benchGuesses },
  instances: {
    about: "two servers on one PostgreSQL database share runs, and one of them is killed",
    run: benchInstances,
  },
  kills: { about: "SIGKILL a hundred times under changes of every kind: is anything lost", run: benchKills },
  lighthouse: {
    about: "Lighthouse on the main pages: performance and accessibility",
    run: benchLighthouse,
  },
  load: {
    about: "a mix of requests with 32 clients, memory, and the time from npm start to healthy",
    run: benchLoad,
  },
  malformed: { about: "2,000 malformed requests: crashes, answers of 5xx, hangs, files outside", run: benchMalformed },
  migrations: { about: "kills in the middle of a migration, and the start after", run: benchMigrations },
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
    database: { type: "string" },
    seed: { type: "string" },
  },
});
const only = values.only?.split(",") ?? null;
const rounds = values.rounds === undefined ? null : Math.max(1, Number.parseInt(values.rounds, 10) || 1);
const seed = values.seed === undefined ? null : Number.parseInt(values.seed, 10) || 0;
const bench = BENCHES[positionals[0] ?? ""];
if (bench) {
  await bench.run({ ...values, only, rounds, database: values.database ?? null, seed }).catch((error: unknown) => {
    if (!(error instanceof MissingBuild)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  });
} else {
  console.error(
    "usage: npm run bench -- NAME [--quick] [--json] [--only PART,…] [--rounds N] [--seed N] [--database postgresql://…]",
  );
  for (const [name, { about }] of Object.entries(BENCHES)) console.error(`  ${name}: ${about}`);
  process.exitCode = 2;
}
