import { type Logger, pino } from "pino";

/** JSON lines on stderr, written at once so that the last words before an exit are not lost. */
export function createLogger(level = "info"): Logger {
  const known = level === "silent" || level in pino.levels.values;
  return pino(
    {
      level: known ? level : "info",
      base: { pid: process.pid },
      redact: ["token", "*.token", "*.authorization", "secrets", "*.secrets", "*.value"],
    },
    pino.destination({ dest: 2, sync: true }),
  );
}
