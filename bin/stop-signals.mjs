const signals = ["SIGINT", "SIGTERM", "SIGHUP"];

// Under npm a terminal's Ctrl-C arrives twice: directly and forwarded. Only a later one counts as second.
const sameKeypressMs = 500;

/**
 * Calls `onStop(signal)` at the first stop signal and `onInsist()` at the next. Returns the function that unsubscribes.
 */
export function onStopSignal(onStop, onInsist = () => {}) {
  let firstAt = null;
  const listener = (signal) => {
    if (firstAt === null) {
      firstAt = Date.now();
      onStop(signal);
    } else if (Date.now() - firstAt > sameKeypressMs) {
      onInsist();
    }
  };
  for (const signal of signals) process.on(signal, listener);
  return () => {
    for (const signal of signals) process.off(signal, listener);
  };
}
