import { supervise } from "./supervise.mjs";

/** Exit code of a child when a restart would not help: wrong settings, a used port, a bad token. */
export const fatalExitCode = 78;

// The worker ends running skills and records that (3 s); the web process then finishes its requests (3.5 s) and closes.
// Service managers allow ten seconds in total.
const workerGraceMs = 4_500;
const stopLimitMs = 9_500;
const webGraceLeastMs = 2_000;

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
