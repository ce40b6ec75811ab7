import { setTimeout as delay } from "node:timers/promises";
import type { BenchOptions } from "./harness/bench-options";
import { benchPacks, type Pack } from "./harness/bench-packs";
import { addSeries, createSeries, type Figures, figuresOf, round, type Series } from "./harness/measure";
import {
  METHODS,
  type Method,
  type MethodRunner,
  openRunner,
  startTestbed,
  type Testbed,
} from "./harness/overhead-methods";
import { memoryMiBOf } from "./harness/product-processes";

type Measure = "perSecond" | "p50Ms";

type TargetResult = { name: string; value: number | null; wanted: string; met: boolean | null };

const WORKER_MIB = 100;

type Target = { pack: string; concurrency: number; part: Method; whole: Method; measure: Measure; aim: number };

const TARGETS: Target[] = [
  { pack: "sh", concurrency: 8, part: "cold", whole: "bwrap", measure: "perSecond", aim: 0.6 },
  { pack: "sh", concurrency: 8, part: "without", whole: "spawn", measure: "perSecond", aim: 0.35 },
  { pack: "python3", concurrency: 1, part: "warm", whole: "spawn", measure: "p50Ms", aim: 1 },
  { pack: "node", concurrency: 1, part: "warm", whole: "spawn", measure: "p50Ms", aim: 1 },
];

const TITLES: Record<Method, string> = {
  spawn: "spawn",
  bwrap: "bwrap",
  cold: "Skillgate, sandbox cold",
  warm: "Skillgate, sandbox warm",
  without: "Skillgate, no sandbox",
  cgi: "nginx + fcgiwrap",
  webhook: "webhook",
  nodeRed: "Node-RED exec",
};

const ROUNDS = 5;
const WARM_UP = 5;
/** Servers run for days, and Node compiles hot code: all methods get so many calls first, with the first pack. */
const FIRST_CALLS = 4000;
/** Pause between blocks, so that the preparation of further processes does not affect the next method. */
const SETTLE_MS = 600;

/** The cost of a run compared with starting the executable: all methods in turns, in the same minutes, on the same machine. */
export async function runOverhead({ quick, json, only, rounds }: BenchOptions): Promise<void> {
  const packs = benchPacks().filter(({ name }) => only === null || only.includes(name));
  if (packs.length === 0) throw new Error(`--only names none of ${benchPacks().map(({ name }) => name)}`);
  const started: { stop(): Promise<void> }[] = [];
  const stopAll = async () => {
    for (const server of started.splice(0).reverse()) await server.stop();
  };
  const interrupted = () => void stopAll().finally(() => process.exit(130));
  process.once("SIGINT", interrupted);
  process.once("SIGTERM", interrupted);
  try {
    const testbed = await startTestbed(packs, started);
    const rows: Row[] = [];
    for (const [index, pack] of packs.entries()) {
      const firstCalls = index === 0 && !quick ? FIRST_CALLS : 0;
      rows.push(...(await measurePack(testbed, pack, { quick, rounds: rounds ?? ROUNDS, firstCalls })));
    }
    const workers = memoryOf(testbed);
    const targets = checkTargets(
      rows,
      Object.values(workers).flatMap(({ rssMiB }) => rssMiB ?? []),
    );
    printOverhead(rows);
    console.log(describeTargets(targets));
    if (json)
      console.log(JSON.stringify({ bench: "run-overhead", node: process.version, quick, rows, workers, targets }));
  } finally {
    await stopAll();
    process.off("SIGINT", interrupted);
    process.off("SIGTERM", interrupted);
  }
}

function memoryOf({ products }: Testbed) {
  const running = Object.entries(products).flatMap(([method, product]) =>
    product ? [[method, product.pids.worker] as const] : [],
  );
  return Object.fromEntries(
    running.map(([method, pid]) => [method, { rssMiB: memoryMiBOf(pid), anonMiB: memoryMiBOf(pid, "RssAnon") }]),
  );
}

type Effort = { quick: boolean; rounds: number; firstCalls: number };

async function measurePack(testbed: Testbed, pack: Pack, { quick, rounds, firstCalls }: Effort): Promise<Row[]> {
  const missing: Partial<Record<Method, string>> = { ...testbed.missing };
  const runners: OpenRunner[] = [];
  try {
    for (const method of METHODS) {
      await recordFailure(method, missing, async () => {
        const runner = await openRunner(testbed, method, pack);
        if (runner) runners.push({ method, runner });
      });
    }
    for (const { method, runner } of runners) {
      const first = { count: firstCalls, concurrency: 8 };
      await recordFailure(method, missing, () => runner.block(first));
    }
    const rows: Row[] = [];
    for (const concurrency of [1, 8]) {
      const count = (quick ? 2 : pack.name === "sh" ? 40 : 20) * (concurrency === 1 ? 1 : 4);
      const methods = await measureMethods(runners, { count, concurrency, rounds }, { ...missing });
      rows.push({ pack: pack.name, concurrency, methods });
    }
    return rows;
  } finally {
    for (const { runner } of runners) runner.close();
  }
}

type OpenRunner = { method: Method; runner: MethodRunner };
type Tally = OpenRunner & { series: Series; web: number; worker: number; warm: number };
type Block = { count: number; concurrency: number; rounds: number };

async function measureMethods(
  runners: OpenRunner[],
  { rounds, ...block }: Block,
  missing: Partial<Record<Method, string>>,
): Promise<Row["methods"]> {
  const tallies = runners.map((open): Tally => ({ ...open, series: createSeries(), web: 0, worker: 0, warm: 0 }));
  for (const { method, runner } of tallies) {
    await recordFailure(method, missing, () => runner.block({ ...block, count: WARM_UP }));
  }
  for (let turn = 0; turn < rounds; turn += 1) {
    const order = [...tallies.slice(turn % tallies.length), ...tallies.slice(0, turn % tallies.length)];
    for (const tally of order) {
      if (missing[tally.method]) continue;
      await recordFailure(tally.method, missing, () => measureTurn(tally, block));
      await delay(SETTLE_MS);
    }
  }
  const entry = (method: Method): Row["methods"][Method] => {
    const tally = tallies.find((tally) => tally.method === method);
    return tally && !missing[method] ? figuresOfTally(tally) : { missing: missing[method] ?? "not there" };
  };
  return Object.fromEntries(METHODS.map((method) => [method, entry(method)])) as Row["methods"];
}

async function measureTurn(tally: Tally, block: { count: number; concurrency: number }): Promise<void> {
  const { runner, series } = tally;
  const [cpuBefore, warmBefore] = [runner.cpuMs?.(), runner.warmCalls?.() ?? 0];
  addSeries(series, await runner.block(block));
  const cpuAfter = runner.cpuMs?.();
  tally.warm += (runner.warmCalls?.() ?? 0) - warmBefore;
  tally.web += (cpuAfter?.web ?? 0) - (cpuBefore?.web ?? 0);
  tally.worker += (cpuAfter?.worker ?? 0) - (cpuBefore?.worker ?? 0);
}

function figuresOfTally({ method, runner, series, web, worker, warm }: Tally): MethodFigures {
  const figures = figuresOf(series);
  if (!runner.cpuMs?.()) return figures;
  return {
    ...figures,
    webCpuMs: round(web / figures.count),
    workerCpuMs: round(worker / figures.count),
    ...(method === "warm" ? { warmShare: round(warm / figures.count) } : {}),
  };
}

async function recordFailure(
  method: Method,
  missing: Partial<Record<Method, string>>,
  attempt: () => Promise<unknown>,
): Promise<void> {
  if (missing[method]) return;
  try {
    await attempt();
  } catch (error) {
    missing[method] = "failed";
    process.exitCode = 1;
    console.error(`${method}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function printOverhead(rows: Row[]): void {
  for (const row of rows) {
    console.log(`\n${row.pack}, ${row.concurrency} at a time`);
    console.table(Object.fromEntries(METHODS.map((method) => [TITLES[method], lineOf(row, method)])));
  }
}

function lineOf(row: Row, method: Method): Record<string, unknown> {
  const figures = figuresIn(row, method);
  const stated = row.methods[method];
  if (!figures) return { "runs/s": "missing" in stated ? stated.missing : "" };
  return {
    "runs/s": figures.perSecond,
    "p50 ms": figures.p50Ms,
    "p95 ms": figures.p95Ms,
    "runs/s of spawn": ratioOf(row, method, "spawn", "perSecond") ?? "-",
    "runs/s of bwrap": ratioOf(row, method, "bwrap", "perSecond") ?? "-",
    "p50 of spawn": ratioOf(row, method, "spawn", "p50Ms") ?? "-",
    ...(figures.webCpuMs === undefined ? {} : { "web CPU ms": figures.webCpuMs }),
    ...(figures.workerCpuMs === undefined ? {} : { "worker CPU ms": figures.workerCpuMs }),
    ...(figures.warmShare === undefined ? {} : { prewarmed: `${Math.round(figures.warmShare * 100)} %` }),
  };
}

function ratioOf(row: Row, part: Method, whole: Method, measure: Measure): number | null {
  const share = shareOf(row, part, whole, measure);
  return share === null ? null : round(share);
}

function shareOf(row: Row, part: Method, whole: Method, measure: Measure): number | null {
  const [a, b] = [figuresIn(row, part), figuresIn(row, whole)];
  return a && b ? a[measure] / b[measure] : null;
}

function figuresIn(row: Row, method: Method): MethodFigures | null {
  const figures = row.methods[method];
  return "missing" in figures ? null : figures;
}

/** Throughput must reach its target; latency and the memory of the largest worker (MiB) must stay below theirs. */
function checkTargets(rows: Row[], workersMiB: number[]): TargetResult[] {
  const largest = workersMiB.length > 0 ? Math.max(...workersMiB) : null;
  const met = largest === null ? null : largest < WORKER_MIB;
  return [
    ...TARGETS.map((target) => checkTarget(target, rows)),
    { name: "worker MiB", value: largest, wanted: `below ${WORKER_MIB}`, met },
  ];
}

function checkTarget({ pack, concurrency, part, whole, measure, aim }: Target, rows: Row[]): TargetResult {
  const row = rows.find((row) => row.pack === pack && row.concurrency === concurrency);
  const value = row ? shareOf(row, part, whole, measure) : null;
  const isLatency = measure === "p50Ms";
  return {
    name: `${pack} ×${concurrency} ${part}/${whole}${isLatency ? " p50" : ""}`,
    value: value === null ? null : round(value),
    wanted: isLatency ? `below ${aim}` : `at least ${aim}`,
    met: value === null ? null : isLatency ? value < aim : value >= aim,
  };
}

function describeTargets(targets: TargetResult[]): string {
  const parts = targets.map(({ name, value, wanted, met }) => {
    const verdict = met === null ? "not measured" : met ? "met" : "not met";
    return `${name} ${value ?? "-"} (${wanted}): ${verdict}`;
  });
  return `run-overhead: ${parts.join("; ")}`;
}

type MethodFigures = Figures & {
  /** CPU time per run of the server and of the worker, in ms, without the run itself. */
  webCpuMs?: number;
  workerCpuMs?: number;
  warmShare?: number;
};

type Row = { pack: Pack["name"]; concurrency: number; methods: Record<Method, MethodFigures | { missing: string }> };
