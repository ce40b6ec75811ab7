import { deepStrictEqual } from "node:assert";
import { join } from "node:path";
import { type ApiClient, createApiClient } from "./harness/api-client";
import type { BenchOptions } from "./harness/bench-options";
import { benchPacks, type Pack, placePack, publishPack } from "./harness/bench-packs";
import { addBlock, createSeries, type Figures, figuresOf, round } from "./harness/measure";
import { spawnDirectly } from "./harness/spawn-directly";
import { type Product, startProduct } from "./harness/start-product";

const ARGS = { text: "The same few words for every run." };
const ROUNDS = 5;
const WARM_UP = 5;

type Row = { pack: string; concurrency: number; direct: Figures; skillgate: Figures; ratio: number; addedMs: number };

/** What a run costs over spawning the executable: both in the same minutes, in turns, on the same machine. */
export async function runOverhead({ quick, json }: BenchOptions): Promise<void> {
  const product = await startProduct();
  const interrupted = () => void product.stop().finally(() => process.exit(130));
  process.once("SIGINT", interrupted);
  process.once("SIGTERM", interrupted);
  const api = createApiClient(product.url, product.token);
  try {
    const rows: Row[] = [];
    for (const pack of benchPacks()) rows.push(...(await measurePack(product, api, pack, quick)));
    printTable(rows);
    printLine(rows);
    if (json) console.log(JSON.stringify({ bench: "run-overhead", node: process.version, quick, rows }));
  } finally {
    api.close();
    await product.stop();
    process.off("SIGINT", interrupted);
    process.off("SIGTERM", interrupted);
  }
}

async function measurePack(product: Product, api: ApiClient, pack: Pack, quick: boolean): Promise<Row[]> {
  const id = await publishPack(api, pack);
  const executable = placePack(join(product.folder, "direct"), pack);
  const direct = async () => deepStrictEqual(await spawnDirectly(executable, ARGS), ARGS);
  const skillgate = async () => {
    type Ended = { state: string; result: unknown; error: unknown };
    const run = await api.json<Ended>("POST", `/api/skills/${id}/runs`, { args: ARGS, wait: 30 });
    deepStrictEqual({ state: run.state, result: run.result }, { state: "succeeded", result: ARGS });
  };
  const rows: Row[] = [];
  for (const concurrency of [1, 8]) {
    const count = (quick ? 2 : pack.name === "shell" ? 40 : 20) * (concurrency === 1 ? 1 : 4);
    for (const call of [direct, skillgate]) await addBlock(createSeries(), { count: WARM_UP, concurrency }, call);
    const series = { direct: createSeries(), skillgate: createSeries() };
    for (let round = 0; round < ROUNDS; round += 1) {
      await addBlock(series.direct, { count, concurrency }, direct);
      await addBlock(series.skillgate, { count, concurrency }, skillgate);
    }
    rows.push(compare(pack.name, concurrency, figuresOf(series.direct), figuresOf(series.skillgate)));
  }
  return rows;
}

function compare(pack: string, concurrency: number, direct: Figures, skillgate: Figures): Row {
  const ratio = round(skillgate.perSecond / direct.perSecond);
  return { pack, concurrency, direct, skillgate, ratio, addedMs: round(skillgate.p50Ms - direct.p50Ms) };
}

function printTable(rows: Row[]): void {
  const table = rows.map(({ pack, concurrency, direct, skillgate, ratio, addedMs }) => ({
    pack,
    "at a time": concurrency,
    runs: skillgate.count,
    "direct runs/s": direct.perSecond,
    "direct p50 ms": direct.p50Ms,
    "direct p95 ms": direct.p95Ms,
    "skillgate runs/s": skillgate.perSecond,
    "skillgate p50 ms": skillgate.p50Ms,
    "skillgate p95 ms": skillgate.p95Ms,
    "added p50 ms": addedMs,
    ratio,
  }));
  console.table(Object.fromEntries(table.map(({ pack, ...rest }) => [`${pack} ×${rest["at a time"]}`, rest])));
}

function printLine(rows: Row[]): void {
  const parts = rows.map(
    ({ pack, concurrency, direct, skillgate, ratio }) =>
      `${pack} ×${concurrency} ${skillgate.perSecond} runs/s of ${direct.perSecond} direct (${ratio})`,
  );
  console.log(`run-overhead: ${parts.join(", ")}`);
}
