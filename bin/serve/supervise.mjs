import { createBackOff } from "./back-off.mjs";

/**
 * Keeps one child process alive. `fork()` starts it; after an unexpected exit, `onExit({ code, signal })` decides:
 * `"restart"` (after a growing delay) or `"wait"` (until `start()` is called).
 */
export function supervise({
  name,
  fork,
  onMessage = () => {},
  onExit = () => "restart",
  backOff = createBackOff(),
  tell,
}) {
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
