import { setTimeout as delay } from "node:timers/promises";
import { auditCase } from "./blocking/audit";
import { backupCase } from "./blocking/backup";
import { exportCase } from "./blocking/export";
import { gitSyncCase } from "./blocking/git-sync";
import { importCase } from "./blocking/import";
import { type BlockingCase, type Measured, startInstance } from "./blocking/instance";
import { scanCase } from "./blocking/scan";
import { streamsCase } from "./blocking/streams";
import { syncCase } from "./blocking/sync";
import { versionsCase } from "./blocking/versions";
import type { BenchOptions } from "./harness/bench-options";
import { round } from "./harness/measure";
import { requireBuild } from "./harness/product-processes";

/** Each case of `bench/blocking/<case>.ts`. */
const CASES: readonly BlockingCase[] = [
  syncCase,
  gitSyncCase,
  importCase,
  scanCase,
  exportCase,
  auditCase,
  backupCase,
  streamsCase,
  versionsCase,
];

const LIMIT_MS = 100;
const CONTROL_PAUSE_MS = 200;

/**
 * The longest pause of the web process's event loop, and the gaps of `/api/health` asked every 20 ms, during each long piece
 * of work. A probe in the server (`monitorEventLoopDelay`, 5 ms, and the time of its thread on a processor) measures the pauses, a process
 * of its own asks for the health. Baseline: the same server idle before the work. Control: a deliberate pause of 200 ms.
 */
export async function benchBlocking({ quick, json, only, database }: BenchOptions): Promise<void> {
  requireBuild();
  const results: Record<string, Result> = {};
  for (const one of CASES.filter(({ name }) => only === null || only.includes(name))) {
    const beside = await one.environment?.({ quick });
    try {
      const { instance, measure, pause, stop } = await startInstance({ quick, env: beside?.env ?? {}, database });
      try {
        const idle = await measure(async () => {
          await delay(quick ? 1_000 : 5_000);
          return "";
        });
        await one.prepare(instance);
        const work = await measure(() => one.run(instance));
        const control = await measure(async () => {
          await pause(CONTROL_PAUSE_MS);
          await delay(3 * CONTROL_PAUSE_MS);
          return "";
        });
        results[one.name] = { idle, work, control };
        print(one.name, { idle, work, control });
      } finally {
        await stop();
      }
    } finally {
      await beside?.stop();
    }
  }
  if (json) console.log(JSON.stringify({ bench: "blocking", node: process.version, quick, results }));
}

type Result = { idle: Measured; work: Measured; control: Measured };

function print(name: string, { idle, work, control }: Result): void {
  const isSeen = control.pauseMs >= CONTROL_PAUSE_MS * 0.9 && control.busyMs >= CONTROL_PAUSE_MS * 0.9;
  // On a busy machine an idle server pauses too, and only the time that the thread itself was running says something.
  const isBusy = idle.pauseMs > LIMIT_MS / 2;
  const longest = isBusy ? work.busyMs : work.pauseMs;
  const isMet = longest <= LIMIT_MS && work.health.failed === 0;
  const lines = [
    `longest pause ${ms(work.pauseMs)} (p99 ${ms(work.p99PauseMs)}), of which its thread was running at most ${ms(work.busyMs)}; idle ${ms(idle.pauseMs)} and ${ms(idle.busyMs)}; control ${ms(control.pauseMs)} and ${ms(control.busyMs)}${isSeen ? "" : ": NOT SEEN"}`,
    `health every 20 ms: longest answer ${ms(work.health.longestMs)}, gap ${ms(work.health.longestGapMs)}, ${work.health.failed} of ${work.health.asked} failed; idle ${ms(idle.health.longestMs)} and ${ms(idle.health.longestGapMs)}; control ${ms(control.health.longestMs)} and ${ms(control.health.longestGapMs)}`,
    `memory idle ${idle.afterMiB} MiB, at most ${work.peakMiB}, afterwards ${work.afterMiB}`,
    `${round(work.seconds)} s: ${work.words}`,
    `no pause above ${LIMIT_MS} ms and no failed request: ${isMet ? "met" : "not met"}${isBusy ? " (by the time of the thread itself, since this machine is busy)" : ""}`,
  ];
  for (const line of lines) console.log(`blocking: ${name}: ${line}`);
  if (!isMet || !isSeen) process.exitCode = 1;
}

function ms(value: number): string {
  return `${Math.round(value)} ms`;
}
