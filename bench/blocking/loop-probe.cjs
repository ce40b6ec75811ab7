// Loaded into a server before anything else (`NODE_OPTIONS=--require`), never part of the product: it measures the pauses of the
// web process's event loop. At SIGUSR2 it reads an order from the file in `BENCH_LOOP_PROBE` and writes the answer beside it.
const { readFileSync, renameSync, writeFileSync } = require("node:fs");
const { monitorEventLoopDelay } = require("node:perf_hooks");
const { isMainThread } = require("node:worker_threads");

const RESOLUTION_MS = 5;
const TICK_MS = 10;

const file = process.env.BENCH_LOOP_PROBE;
if (file && isMainThread && process.argv[1]?.endsWith("web.mjs")) probe(file);

function probe(file) {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  // On a machine with other work a pause may be the scheduler's: this is the part of it in which the thread itself was running.
  let ranTicks = readRanTicks();
  let busiestTicks = 0;
  setInterval(() => {
    const now = readRanTicks();
    busiestTicks = Math.max(busiestTicks, now - ranTicks);
    ranTicks = now;
  }, RESOLUTION_MS).unref();

  // After a pause a signal may come before the timers, which are to see the pause first.
  process.on("SIGUSR2", () => setTimeout(takeOrder, 4 * RESOLUTION_MS));

  function takeOrder() {
    const { id, order, ms = 0 } = JSON.parse(readFileSync(file, "utf8"));
    // The histogram holds the time between two ticks of its timer, which is the resolution when nothing blocks.
    const pauseOf = (nanoseconds) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);
    const pauses = { longestMs: pauseOf(delays.max), p99Ms: pauseOf(delays.percentile(99)) };
    const answer = JSON.stringify({ ...pauses, busiestMs: busiestTicks * TICK_MS });
    delays.reset();
    busiestTicks = 0;
    // A reset forgets the last tick, so a pause before the next one would not be seen.
    if (order === "pause") setTimeout(block, 10 * RESOLUTION_MS, ms);
    writeFileSync(`${file}.${id}.part`, answer);
    renameSync(`${file}.${id}.part`, `${file}.${id}`);
  }
}

/** Time on a processor of the main thread, whose id is that of the process, in steps of 10 ms (proc(5), utime and stime). */
function readRanTicks() {
  const fields = readFileSync(`/proc/self/task/${process.pid}/stat`, "latin1").split(") ").at(-1).split(" ");
  return Number(fields[11]) + Number(fields[12]);
}

/** Runs for this time, which on a machine with other work takes longer. */
function block(ms) {
  const until = readRanTicks() + ms / TICK_MS;
  while (readRanTicks() < until);
}
