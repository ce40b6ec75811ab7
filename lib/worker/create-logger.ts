import { type Logger, pino } from "pino";

/** JSON lines on stderr, written at once so that the last words before an exit are not lost. */
export function createLogger(level = "info"): Logger {
  return pino(
    { level, base: { pid: process.pid }, redact: ["token", "*.token", "*.authorization"] },
    pino.destination({ dest: 2, sync: true }),
  );
}
