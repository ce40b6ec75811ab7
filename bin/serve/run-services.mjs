import { supervise } from "./supervise.mjs";

/** A child ends with this code when starting it again would change nothing: wrong settings, a taken port, a bad token. */
export const hopelessExitCode = 78;

// The worker has to end running skills and record that (3 s); the web process then finishes its requests (3.5 s) and
// closes. Service managers give the whole ten seconds.
const workerGraceMs = 4_500;
const stopLimitMs = 9_500;
const webGraceLeastMs = 2_000;

/**
 * Runs the web process and, once that is ready, one worker, or none without `forkWorker`; restarts whichever crashes.
 * `ended` resolves with the exit code of the whole.
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
      const isHopeless = code === hopelessExitCode || ready === null;
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
      if (code !== hopelessExitCode || workerToken !== ready.workerToken) return "restart";
      tell("The worker said above why it cannot start; it starts again when the web process hands out a new token.");
      return "wait";
    },
  });

  function stop(exitCode = 0) {
    stopped ??= (async () => {
      const startedAt = performance.now();
      // The worker still needs it to report; whoever sends requests to it hears meanwhile that it will be gone.
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

// The child may be gone before it is told; its exit says so.
function ignoreClosedChannel() {}
