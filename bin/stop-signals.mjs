const signals = ["SIGINT", "SIGTERM", "SIGHUP"];

// A terminal's Ctrl-C reaches us twice under npm: from the terminal and forwarded by npm. Only a later one is a second one.
const sameKeypressMs = 500;

/** Calls `onStop(signal)` at the first stop signal and `onInsist()` at a further one. Returns how to stop listening. */
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
