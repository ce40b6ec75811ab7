import { type ChildProcess, fork } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Caller, openCaller } from "../harness/call-api";
import { liftLimits } from "../harness/publish-skill";
import { prepareKillable } from "../harness/start-killable";

/** One row of `bench/blocking.ts`; each gets a server of its own. */
export type BlockingCase = {
  name: string;
  /** Called before the server starts: its additional variables, and what to end after the case. */
  environment?(options: { quick: boolean }): Promise<{ env: Record<string, string>; stop(): Promise<void> }>;
  /** Not measured. */
  prepare(instance: Instance): Promise<void>;
  /** Measured from its call until it resolves. Returns words for the line of the case, such as the number of requests. */
  run(instance: Instance): Promise<string>;
};

/** A built server under measurement, with an admin and a worker. */
export type Instance = {
  url: string;
  /** Bearer token of the admin. */
  token: string;
  caller: Caller;
  folder: string;
  quick: boolean;
  webPid: number;
};

/**
 * `pauseMs`: longest time that the event loop did not turn; `busyMs`: longest time between two turns that its thread was running, which
 * other work on the machine does not lengthen. Times in ms, memory in MiB; `afterMiB` some seconds after the work.
 */
export type Measured = {
  words: string;
  seconds: number;
  pauseMs: number;
  p99PauseMs: number;
  busyMs: number;
  health: { asked: number; failed: number; longestMs: number; longestGapMs: number };
  peakMiB: number;
  afterMiB: number;
};

type Pauses = { longestMs: number; p99Ms: number; busiestMs: number };

const SETTLE_MS = 3_000;

type Measuring = {
  instance: Instance;
  measure(work: () => Promise<string>): Promise<Measured>;
  pause(ms: number): Promise<void>;
  stop(): Promise<void>;
};

/** Starts the built server with a worker and the probe of its event loop, for one case. */
export async function startInstance(options: {
  quick: boolean;
  env: Record<string, string>;
  database: string | null;
}): Promise<Measuring> {
  const folder = mkdtempSync(join(tmpdir(), "skillgate-blocking-"));
  const order = join(folder, "order");
  const product = await prepareKillable({
    database: options.database,
    env: {
      ...options.env,
      BENCH_LOOP_PROBE: order,
      NODE_OPTIONS: `--require=${join(import.meta.dirname, "loop-probe.cjs")}`,
      // As the launcher sets it for the web process (bin/serve).
      MALLOC_ARENA_MAX: "2",
    },
  });
  await product.start();
  const caller = openCaller(product.url, product.token);
  await liftLimits(caller);
  // Start-up goes on after the server is ready, and is not what is measured.
  await delay(SETTLE_MS);
  const webPid = product.webPid();
  const instance: Instance = {
    ...{ url: product.url, token: product.token, folder: product.folder, quick: options.quick },
    ...{ caller, webPid },
  };
  let asked = 0;

  async function send(what: { order: "read" | "pause"; ms?: number }): Promise<Pauses> {
    asked += 1;
    const id = asked;
    writeFileSync(order, JSON.stringify({ id, ...what }));
    process.kill(webPid, "SIGUSR2");
    for (;;) {
      await delay(10);
      try {
        return JSON.parse(readFileSync(`${order}.${id}`, "utf8")) as Pauses;
      } catch (error) {
        if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
      }
    }
  }

  return {
    instance,
    measure: async (work) => {
      const health = await startAsking(product.url);
      forgetPeak(webPid);
      await send({ order: "read" });
      const startedAt = performance.now();
      const words = await work();
      const seconds = (performance.now() - startedAt) / 1000;
      const { longestMs, p99Ms, busiestMs } = await send({ order: "read" });
      const figures = { health: await health.stop(), peakMiB: statusMiB(webPid, "VmHWM") };
      await delay(SETTLE_MS * 2);
      return {
        ...{ words, seconds, pauseMs: longestMs, p99PauseMs: p99Ms, busyMs: busiestMs },
        ...{ ...figures, afterMiB: statusMiB(webPid, "VmRSS") },
      };
    },
    pause: async (ms) => {
      await send({ order: "pause", ms });
    },
    stop: async () => {
      caller.close();
      await product.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type Health = Measured["health"];

async function startAsking(url: string): Promise<{ stop(): Promise<Health> }> {
  const child = fork(join(import.meta.dirname, "ask-health.mjs"), [url], { execArgv: [] });
  await nextMessage(child);
  return {
    stop: async () => {
      const answer = nextMessage<Health>(child);
      child.send("stop");
      return answer;
    },
  };
}

function nextMessage<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    child.once("message", (message) => resolve(message as T));
    child.once("exit", (code) => reject(new Error(`the process that asks for the health ended with ${code}`)));
  });
}

/** `5` resets the peak of the resident memory (proc(5), clear_refs). */
function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
}

function statusMiB(pid: number, field: "VmHWM" | "VmRSS"): number {
  const kib = new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Math.round(Number(kib) / 1024);
}

/** Reads an answer of any length; returns its number of bytes. */
export function download({ url, token }: Pick<Instance, "url" | "token">, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    request(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`GET ${path} answered ${response.statusCode}`));
      let bytes = 0;
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.once("end", () => resolve(bytes));
      response.once("error", reject);
    })
      .once("error", reject)
      .end();
  });
}
