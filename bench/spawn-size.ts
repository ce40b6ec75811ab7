import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { BenchOptions } from "./harness/bench-options";
import { round } from "./harness/measure";
import { MissingBuild } from "./harness/product-processes";
import { memoryMiBOf } from "./harness/read-process-use";
import { startProduct } from "./harness/start-product";

const SMALL_MIB = 50;
const LARGE_MIB = 450;

/**
 * libuv forks, which copies the page tables of the parent: `spawn` holds up the event loop the longer, the larger the
 * process is. That is why the worker is a process of its own.
 */
export async function spawnSize({ quick, json, rounds }: BenchOptions): Promise<void> {
  const turns = rounds ?? (quick ? 1 : 5);
  const processes = [startSpawner(SMALL_MIB), startSpawner(LARGE_MIB)];
  const blocked: number[][] = processes.map(() => []);
  try {
    for (let turn = 0; turn < turns; turn += 1) {
      for (const [index, child] of processes.entries()) blocked[index]?.push(...(await askFor(child, quick ? 5 : 40)));
    }
  } finally {
    for (const child of processes) child.disconnect();
  }
  const [smallMs = 0, largeMs = 0] = blocked.map(medianOf);
  const workerMiB = await measureWorker();
  const worker = workerMiB === null ? "the worker was not measured" : `the worker has ${workerMiB} MiB`;
  console.log(
    `spawn-size: ${smallMs} ms from ${SMALL_MIB} MiB, ${largeMs} ms from ${LARGE_MIB} MiB, ratio ${round(largeMs / smallMs)}; ${worker}`,
  );
  if (json) console.log(JSON.stringify({ bench: "spawn-size", node: process.version, smallMs, largeMs, workerMiB }));
}

/** Resident memory of the product's worker, once it has registered; null without a build. */
async function measureWorker(): Promise<number | null> {
  try {
    const product = await startProduct();
    try {
      return memoryMiBOf(product.pids.worker);
    } finally {
      await product.stop();
    }
  } catch (error) {
    if (error instanceof MissingBuild) return null;
    throw error;
  }
}

function startSpawner(sizeMiB: number): ChildProcess {
  // Plain Node: a loader for TypeScript would make the small one large.
  const file = fileURLToPath(new URL("./harness/spawner.mjs", import.meta.url));
  return fork(file, [String(sizeMiB)], { execArgv: [] });
}

/** The time each `spawn` of a block held up the process, in ms. */
function askFor(child: ChildProcess, count: number): Promise<number[]> {
  return new Promise((resolve, reject) => {
    const fail = (code: number | null) => reject(new Error(`the process to spawn from ended with exit code ${code}`));
    child.once("exit", fail);
    child.once("message", (times) => {
      child.off("exit", fail);
      // It sends nothing else.
      resolve(times as number[]);
    });
    child.send(count);
  });
}

function medianOf(values: number[]): number {
  return round([...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0);
}
