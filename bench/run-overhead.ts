import { setTimeout as delay } from "node:timers/promises";
import type { BenchOptions } from "./harness/bench-options";
import { benchPacks, type Pack } from "./harness/bench-packs";
import { addSeries, createSeries, type Figures, figuresOf, round, type Series } from "./harness/measure";
import { type Testbed, type MethodRunner, openRunner, startTestbed, METHODS, type Method } from "./harness/overhead-methods";
import { memoryMiBOf } from "./harness/read-process-use";

type Measure = "perSecond" | "p50Ms";

type TargetResult = { name: string; value: number | null; wanted: string; met: boolean | null };

/** However many runs it has executed. */
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
/** Servers run for days, and Node compiles what they do often: all ways get so many calls first, with the first pack. */
const FIRST_CALLS = 4000;
/** Between blocks: whoever still prepares its next processes must not do so at the cost of the next way. */
const SETTLE_MS = 600;

/** What a run costs over starting the executable: all ways in turns, in the same minutes, on the same machine. */
export async function runOverhead({ quick, json, only, rounds }: BenchOptions): Promise<void> {
  const packs = benchPacks().filter(({ name }) => only === null || only.includes(name));
  if (packs.length === 0) throw new Error(`--only names none of ${benchPacks().map(({ name }) => name)}`);
  const started: { stop(): Promise<void> }[] = [];
  const stopAll = async () => {
    for (const thing of started.splice(0).reverse()) await thing.stop();
  };
  const interrupted = () => void stopAll().finally(() => process.exit(130));
  process.once("SIGINT", interrupted);
  process.once("SIGTERM", interrupted);
  try {
    const field = await startTestbed(packs, started);
    const rows: Row[] = [];
    for (const [index, pack] of packs.entries()) {
      const firstCalls = index === 0 && !quick ? FIRST_CALLS : 0;
      rows.push(...(await measurePack(field, pack, { quick, rounds: rounds ?? ROUNDS, firstCalls })));
    }
    const workers = memoryOf(field);
    const aims = checkTargets(
      rows,
      Object.values(workers).flatMap(({ rssMiB }) => rssMiB ?? []),
    );
    printOverhead(rows);
    console.log(describeTargets(aims));
    if (json) console.log(JSON.stringify({ bench: "run-overhead", node: process.version, quick, rows, workers, aims }));
  } finally {
    await stopAll();
    process.off("SIGINT", interrupted);
    process.off("SIGTERM", interrupted);
  }
}

/** What each worker holds after all its runs: spawning takes time in proportion to what it has written to. */
function memoryOf({ products }: Testbed) {
  const running = Object.entries(products).flatMap(([way, product]) =>
    product ? [[way, product.pids.worker] as const] : [],
  );
  return Object.fromEntries(
    running.map(([way, pid]) => [way, { rssMiB: memoryMiBOf(pid), anonMiB: memoryMiBOf(pid, "RssAnon") }]),
  );
}

type Effort = { quick: boolean; rounds: number; firstCalls: number };

async function measurePack(field: Testbed, pack: Pack, { quick, rounds, firstCalls }: Effort): Promise<Row[]> {
  const missing: Partial<Record<Method, string>> = { ...field.missing };
  const lanes: OpenRunner[] = [];
  try {
    for (const way of METHODS) {
      await recordFailure(way, missing, async () => {
        const lane = await openRunner(field, way, pack);
        if (lane) lanes.push({ way, lane });
      });
    }
    for (const { way, lane } of lanes) {
      const first = { count: firstCalls, concurrency: 8 };
      await recordFailure(way, missing, () => lane.block(first));
    }
    const rows: Row[] = [];
    for (const concurrency of [1, 8]) {
      const count = (quick ? 2 : pack.name === "sh" ? 40 : 20) * (concurrency === 1 ? 1 : 4);
      const ways = await measureMethods(lanes, { count, concurrency, rounds }, { ...missing });
      rows.push({ pack: pack.name, concurrency, ways });
    }
    return rows;
  } finally {
    for (const { lane } of lanes) lane.close();
  }
}

type OpenRunner = { way: Method; lane: MethodRunner };
type Tally = OpenRunner & { series: Series; web: number; worker: number; warm: number };
type Block = { count: number; concurrency: number; rounds: number };

async function measureMethods(
  lanes: OpenRunner[],
  { rounds, ...block }: Block,
  missing: Partial<Record<Method, string>>,
): Promise<Row["ways"]> {
  const tallies = lanes.map((open): Tally => ({ ...open, series: createSeries(), web: 0, worker: 0, warm: 0 }));
  for (const { way, lane } of tallies) {
    await recordFailure(way, missing, () => lane.block({ ...block, count: WARM_UP }));
  }
  for (let turn = 0; turn < rounds; turn += 1) {
    // Another one begins each time, so that none always follows the same.
    const order = [...tallies.slice(turn % tallies.length), ...tallies.slice(0, turn % tallies.length)];
    for (const tally of order) {
      if (missing[tally.way]) continue;
      await recordFailure(tally.way, missing, () => measureTurn(tally, block));
      await delay(SETTLE_MS);
    }
  }
  const entry = (way: Method): Row["ways"][Method] => {
    const tally = tallies.find((tally) => tally.way === way);
    return tally && !missing[way] ? figuresOfTally(tally) : { missing: missing[way] ?? "not there" };
  };
  return Object.fromEntries(METHODS.map((way) => [way, entry(way)])) as Row["ways"];
}

async function measureTurn(tally: Tally, block: { count: number; concurrency: number }): Promise<void> {
  const { lane, series } = tally;
  const [cpuBefore, warmBefore] = [lane.cpuMs?.(), lane.warmCalls?.() ?? 0];
  addSeries(series, await lane.block(block));
  const cpuAfter = lane.cpuMs?.();
  tally.warm += (lane.warmCalls?.() ?? 0) - warmBefore;
  tally.web += (cpuAfter?.web ?? 0) - (cpuBefore?.web ?? 0);
  tally.worker += (cpuAfter?.worker ?? 0) - (cpuBefore?.worker ?? 0);
}

function figuresOfTally({ way, lane, series, web, worker, warm }: Tally): MethodFigures {
  const figures = figuresOf(series);
  if (!lane.cpuMs?.()) return figures;
  return {
    ...figures,
    webCpuMs: round(web / figures.count),
    workerCpuMs: round(worker / figures.count),
    ...(way === "warm" ? { warmShare: round(warm / figures.count) } : {}),
  };
}

/** One way that fails must not cost the figures of the others; its cells say why there are none. */
async function recordFailure(
  way: Method,
  missing: Partial<Record<Method, string>>,
  attempt: () => Promise<unknown>,
): Promise<void> {
  if (missing[way]) return;
  try {
    await attempt();
  } catch (error) {
    missing[way] = "failed";
    process.exitCode = 1;
    console.error(`${way}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** A table for each pack and concurrency, and a line for each way: throughput, latency, its ratios to the raw ways. */
function printOverhead(rows: Row[]): void {
  for (const row of rows) {
    console.log(`\n${row.pack}, ${row.concurrency} at a time`);
    console.table(Object.fromEntries(METHODS.map((way) => [TITLES[way], lineOf(row, way)])));
  }
}

function lineOf(row: Row, way: Method): Record<string, unknown> {
  const figures = figuresIn(row, way);
  const stated = row.ways[way];
  if (!figures) return { "runs/s": "missing" in stated ? stated.missing : "" };
  return {
    "runs/s": figures.perSecond,
    "p50 ms": figures.p50Ms,
    "p95 ms": figures.p95Ms,
    "runs/s of spawn": ratioOf(row, way, "spawn", "perSecond") ?? "-",
    "runs/s of bwrap": ratioOf(row, way, "bwrap", "perSecond") ?? "-",
    "p50 of spawn": ratioOf(row, way, "spawn", "p50Ms") ?? "-",
    ...(figures.webCpuMs === undefined ? {} : { "web CPU ms": figures.webCpuMs }),
    ...(figures.workerCpuMs === undefined ? {} : { "worker CPU ms": figures.workerCpuMs }),
    ...(figures.warmShare === undefined ? {} : { "found warm": `${Math.round(figures.warmShare * 100)} %` }),
  };
}

/** One way as a share of another; null where one of them is missing. */
function ratioOf(row: Row, part: Method, whole: Method, measure: Measure): number | null {
  const share = shareOf(row, part, whole, measure);
  return share === null ? null : round(share);
}

function shareOf(row: Row, part: Method, whole: Method, measure: Measure): number | null {
  const [a, b] = [figuresIn(row, part), figuresIn(row, whole)];
  return a && b ? a[measure] / b[measure] : null;
}

/** The figures of a way, or null where there are none. */
function figuresIn(row: Row, way: Method): MethodFigures | null {
  const figures = row.ways[way];
  return "missing" in figures ? null : figures;
}

/** Throughput is to reach its share, latency and the memory of the largest worker (MiB, in the end) to stay below theirs. */
function checkTargets(rows: Row[], workersMiB: number[]): TargetResult[] {
  const largest = workersMiB.length > 0 ? Math.max(...workersMiB) : null;
  const met = largest === null ? null : largest < WORKER_MIB;
  return [
    ...TARGETS.map((wish) => checkTarget(wish, rows)),
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

function describeTargets(aims: TargetResult[]): string {
  const parts = aims.map(({ name, value, wanted, met }) => {
    const verdict = met === null ? "not measured" : met ? "met" : "not met";
    return `${name} ${value ?? "-"} (${wanted}): ${verdict}`;
  });
  return `run-overhead: ${parts.join("; ")}`;
}

type MethodFigures = Figures & {
  /** CPU time of the server and of the worker for each run, in ms, without the run itself. */
  webCpuMs?: number;
  workerCpuMs?: number;
  /** Of all runs, those that found a process waiting. */
  warmShare?: number;
};

/** All ways with one pack at one concurrency; a way without figures says why. */
type Row = { pack: Pack["name"]; concurrency: number; ways: Record<Method, MethodFigures | { missing: string }> };
