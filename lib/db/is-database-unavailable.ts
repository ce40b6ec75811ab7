const CODES = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "ENOTFOUND", "EAI_AGAIN"],
  // PostgreSQL: shutdown, start, too many connections, lock and idle time-outs, connection failures.
  ...["57P01", "57P02", "57P03", "53300", "55P03", "25P03", "08000", "08001", "08003", "08004", "08006"],
  // PostgreSQL and Prisma: failed to serialize, or deadlocked, although repeated.
  ...["40001", "40P01", "P2034"],
  // Prisma: unreachable, timed out, closed, no free connection.
  ...["P1001", "P1002", "P1008", "P1017", "P2024"],
]);
const MESSAGES =
  /SQLITE_BUSY|database is locked|SocketTimeout|Connection terminated|connection error|not queryable|Client was closed/i;

/** Whether this error, or one of its causes, means that the database is temporarily unavailable. */
export function isDatabaseUnavailable(thrown: unknown): boolean {
  for (let error = thrown, depth = 0; error instanceof Error && depth < 6; error = error.cause, depth++) {
    if ("code" in error && typeof error.code === "string" && CODES.has(error.code)) return true;
    if (MESSAGES.test(error.message)) return true;
    if (error instanceof AggregateError && error.errors.some(isDatabaseUnavailable)) return true;
  }
  return false;
}
