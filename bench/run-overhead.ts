import { deepStrictEqual } from "node:assert";
import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { createApiClient } from "./harness/api-client";
import type { BenchOptions } from "./harness/bench-options";
import { benchPacks, type Pack, placePack, publishPack } from "./harness/bench-packs";
import { addBlock, createSeries, type Figures, figuresOf, round } from "./harness/measure";
import { spawnDirectly } from "./harness/spawn-directly";
import { prepareBwrap, type SpawnInBwrap } from "./harness/spawn-in-bwrap";
import { type Product, startProduct } from "./harness/start-product";

const ARGS = { text: "The same few words for every run." };
const ROUNDS = 5;
const WARM_UP = 5;

/** `spawn` and `bwrap` have nothing around them; the other two are the product, a new process for each run. */
const WAYS = ["spawn", "bwrap", "sandboxed", "unsandboxed"] as const;
type Way = (typeof WAYS)[number];
type Row = {
  pack: string;
  concurrency: number;
  /** Null where this host has no sandbox. */
  figures: Record<Way, Figures | null>;
  /** Runs per second of the product over those of the raw way. */
  sandboxedOfBwrap: number | null;
  unsandboxedOfSpawn: number | null;
};
type Bench = { sandboxed: Product | null; unsandboxed: Product; bwrap: SpawnInBwrap | null };

/** What a run costs over starting the executable: all ways in turns, in the same minutes, on the same machine. */
export async function runOverhead({ quick, json }: BenchOptions): Promise<void> {
  const started: Product[] = [];
  const stopAll = async () => {
    for (const product of started.splice(0)) await product.stop();
  };
  const interrupted = () => void stopAll().finally(() => process.exit(130));
  process.once("SIGINT", interrupted);
  process.once("SIGTERM", interrupted);
  try {
    const unsandboxed = await startProduct({ sandbox: "off" });
    started.push(unsandboxed);
    const bwrap = await prepareBwrap(join(unsandboxed.folder, "filters"));
    const sandboxed = bwrap && (await startProduct());
    if (sandboxed) started.push(sandboxed);
    else console.log("bubblewrap does not work here: its columns stay empty.");
    const rows: Row[] = [];
    for (const pack of benchPacks()) rows.push(...(await measurePack({ sandboxed, unsandboxed, bwrap }, pack, quick)));
    printTable(rows);
    printLine(rows);
    if (json) console.log(JSON.stringify({ bench: "run-overhead", node: process.version, quick, rows }));
  } finally {
    await stopAll();
    process.off("SIGINT", interrupted);
    process.off("SIGTERM", interrupted);
  }
}

type Calls = Record<Way, (() => Promise<void>) | null>;

async function measurePack({ sandboxed, unsandboxed, bwrap }: Bench, pack: Pack, quick: boolean): Promise<Row[]> {
  const parent = join(unsandboxed.folder, "direct");
  mkdirSync(parent, { recursive: true });
  chmodSync(parent, 0o755);
  const executable = placePack(parent, pack);
  const inSandbox = sandboxed && (await callThrough(sandboxed, pack));
  const without = await callThrough(unsandboxed, pack);
  const calls: Calls = {
    spawn: async () => deepStrictEqual(await spawnDirectly(executable, ARGS), ARGS),
    bwrap: bwrap && (async () => deepStrictEqual(await bwrap(executable, ARGS), ARGS)),
    sandboxed: inSandbox?.call ?? null,
    unsandboxed: without.call,
  };
  const rows: Row[] = [];
  try {
    for (const concurrency of [1, 8]) {
      const count = (quick ? 2 : pack.name === "shell" ? 40 : 20) * (concurrency === 1 ? 1 : 4);
      rows.push(await measureRow(calls, { pack: pack.name, concurrency, count }));
    }
  } finally {
    inSandbox?.close();
    without.close();
  }
  return rows;
}

async function callThrough(product: Product, pack: Pack): Promise<{ call(): Promise<void>; close(): void }> {
  const api = createApiClient(product.url, product.token);
  const id = await publishPack(api, pack);
  type Ended = { state: string; result: unknown; error: unknown };
  return {
    async call() {
      const run = await api.json<Ended>("POST", `/api/skills/${id}/runs`, { args: ARGS, wait: 30 });
      deepStrictEqual(
        { state: run.state, error: run.error, result: run.result },
        { state: "succeeded", error: null, result: ARGS },
      );
    },
    close: api.close,
  };
}

type Block = { pack: string; concurrency: number; count: number };

async function measureRow(calls: Calls, { pack, concurrency, count }: Block): Promise<Row> {
  const lanes = WAYS.flatMap((way) => {
    const call = calls[way];
    return call ? [{ way, call, series: createSeries() }] : [];
  });
  for (const { call } of lanes) await addBlock(createSeries(), { count: WARM_UP, concurrency }, call);
  for (let turn = 0; turn < ROUNDS; turn += 1) {
    for (const { call, series } of lanes) await addBlock(series, { count, concurrency }, call);
  }
  const figures = { spawn: null, bwrap: null, sandboxed: null, unsandboxed: null } as Row["figures"];
  for (const { way, series } of lanes) figures[way] = figuresOf(series);
  return {
    pack,
    concurrency,
    figures,
    sandboxedOfBwrap: share(figures.sandboxed, figures.bwrap),
    unsandboxedOfSpawn: share(figures.unsandboxed, figures.spawn),
  };
}

function share(part: Figures | null, whole: Figures | null): number | null {
  return part && whole ? round(part.perSecond / whole.perSecond) : null;
}

const TITLES: Record<Way, string> = {
  spawn: "spawn",
  bwrap: "bwrap",
  sandboxed: "sandbox cold",
  unsandboxed: "without sandbox",
};

/** Runs a second, and the latency from the median to the 95th percentile. */
function printTable(rows: Row[]): void {
  const table = rows.map((row) => [
    `${row.pack} ×${row.concurrency}`,
    {
      ...Object.fromEntries(WAYS.map((way) => [TITLES[way], cell(row.figures[way])])),
      "of bwrap": row.sandboxedOfBwrap ?? "-",
      "of spawn": row.unsandboxedOfSpawn ?? "-",
    },
  ]);
  console.table(Object.fromEntries(table));
}

function cell(figures: Figures | null): string {
  return figures ? `${figures.perSecond} /s, ${figures.p50Ms} to ${figures.p95Ms} ms` : "-";
}

function printLine(rows: Row[]): void {
  const parts = rows.map(
    ({ pack, concurrency, sandboxedOfBwrap, unsandboxedOfSpawn }) =>
      `${pack} ×${concurrency} ${sandboxedOfBwrap ?? "-"} of bwrap, ${unsandboxedOfSpawn ?? "-"} of spawn`,
  );
  console.log(`run-overhead: ${parts.join("; ")}`);
}
