/** Exit code of a child when a restart would not help: wrong settings, a used port, a bad token. */
export const fatalExitCode = 78;

// The worker ends running skills and records that (3 s); the web process then finishes its requests (3.5 s) and closes.
// Service managers allow ten seconds in total.
const workerGraceMs = 4_500;
const stopLimitMs = 9_500;
const webGraceLeastMs = 2_000;

const firstMs = 500;
const longestMs = 30_000;
const healthyAfterMs = 60_000;

/**
 * Runs the web process and then one worker (none without `forkWorker`); restarts them after crashes. `ended` resolves
 * with the exit code.
 */
export function runServices({ forkWeb, forkWorker, workDir, hidden = [], onReady, tell }) {
  let ready = null;
  let workerToken = null;
  let finish;
  let stopped = null;
  let webChild = null;
  const ended = new Promise((resolve) => {
    finish = resolve;
  });

  const web = supervise({
    name: "web process",
    fork() {
      webChild = forkWeb(ready);
      return webChild;
    },
    tell,
    onMessage(message) {
      if (message?.type !== "ready") return;
      const isFirst = ready === null;
      ready = message;
      if (isFirst) onReady(message);
      if (forkWorker) worker.start();
    },
    onExit({ code, signal }) {
      const isHopeless = code === fatalExitCode || ready === null;
      if (!isHopeless) return "restart";
      void stop(exitCodeOf({ code, signal }) || 1);
      return "wait";
    },
  });

  const worker = supervise({
    name: "worker",
    fork() {
      const child = forkWorker();
      workerToken = ready.workerToken;
      child.send(
        { type: "start", url: ready.workerUrl, token: workerToken, name: "local", workDir, hidden },
        ignoreClosedChannel,
      );
      return child;
    },
    tell,
    onExit({ code }) {
      if (code !== fatalExitCode || workerToken !== ready.workerToken) return "restart";
      tell("The worker cannot start for the reason above. It starts again when the web process issues a new token.");
      return "wait";
    },
  });

  function stop(exitCode = 0) {
    stopped ??= (async () => {
      const startedAt = performance.now();
      // The worker still needs it for reports; load balancers see meanwhile that it drains.
      if (webChild?.connected) webChild.send({ type: "draining" }, ignoreClosedChannel);
      await worker.stop(workerGraceMs);
      await web.stop(Math.max(webGraceLeastMs, stopLimitMs - (performance.now() - startedAt)));
      finish(exitCode);
    })();
    return stopped;
  }

  function killNow() {
    worker.killNow();
    web.killNow();
  }

  web.start();
  return {
    ended,
    stop,
    killNow,
    restartWorker: () => (ready && forkWorker ? worker.restart(workerGraceMs) : undefined),
  };
}

function exitCodeOf({ code, signal }) {
  return signal ? 1 : code;
}

// The child may have ended; its exit is handled.
function ignoreClosedChannel() {}

/** Delay before the next start: doubles after each short run, resets after a long one. */
export function createBackOff() {
  let nextMs = firstMs;
  return function delayAfter(livedMs) {
    if (livedMs >= healthyAfterMs) nextMs = firstMs;
    const delayMs = nextMs;
    nextMs = Math.min(nextMs * 2, longestMs);
    return delayMs;
  };
}

/**
 * Keeps one child process alive. `fork()` starts it; after an unexpected exit, `onExit({ code, signal })` decides:
 * `"restart"` (after a growing delay) or `"wait"` (until `start()` is called).
 */
function supervise({ name, fork, onMessage = () => {}, onExit = () => "restart", backOff = createBackOff(), tell }) {
  let child = null;
  let timer = null;
  let isHeld = false;
  let isStopped = false;

  function start() {
    clearTimeout(timer);
    timer = null;
    if (child || isHeld || isStopped) return;
    const startedAt = Date.now();
    const current = fork();
    child = current;
    current.on("message", (message) => onMessage(message, current));
    current.on("error", (error) => tell(`The ${name} reported: ${error.message}`));
    current.once("exit", (code, signal) => {
      child = null;
      if (isHeld || isStopped) return;
      if (onExit({ code, signal }) === "restart") restartLater({ code, signal }, Date.now() - startedAt);
    });
  }

  function restartLater({ code, signal }, livedMs) {
    const delayMs = backOff(livedMs);
    const cause = signal ? `signal ${signal}` : `exit code ${code}`;
    tell(`The ${name} ended (${cause}); starting it again in ${delayMs / 1000} s.`);
    timer = setTimeout(start, delayMs);
  }

  function end(graceMs) {
    const ending = child;
    if (!ending) return Promise.resolve();
    return new Promise((resolve) => {
      const deadline = setTimeout(() => {
        tell(`The ${name} did not stop within ${graceMs / 1000} s; killing it.`);
        kill(ending);
      }, graceMs);
      ending.once("exit", () => {
        clearTimeout(deadline);
        resolve();
      });
      ending.kill("SIGTERM");
    });
  }

  return {
    start,
    async stop(graceMs) {
      isStopped = true;
      clearTimeout(timer);
      await end(graceMs);
    },
    async restart(graceMs) {
      isHeld = true;
      clearTimeout(timer);
      await end(graceMs);
      isHeld = false;
      start();
    },
    killNow() {
      isStopped = true;
      clearTimeout(timer);
      if (child) kill(child);
    },
  };
}

// Ends the process group of the child, with its own children.
function kill(child) {
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    child.kill("SIGKILL");
  }
}
