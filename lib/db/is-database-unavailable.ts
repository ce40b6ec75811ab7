const CODES = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "ENOTFOUND", "EAI_AGAIN"],
  // PostgreSQL's own: the server shuts down, starts, has no room, or kept somebody waiting for too long.
  ...["57P01", "57P02", "57P03", "53300", "55P03", "25P03", "08000", "08001", "08003", "08004", "08006"],
  // Prisma's: unreachable, timed out, closed, no connection free.
  ...["P1001", "P1002", "P1008", "P1017", "P2024"],
]);
const SAID =
  /SQLITE_BUSY|database is locked|SocketTimeout|Connection terminated|connection error|not queryable|Client was closed/i;

/** Whether this error, or one it came from, says that the database cannot be had at the moment; later it may. */
export function isDatabaseUnavailable(thrown: unknown): boolean {
  for (let error = thrown, depth = 0; error instanceof Error && depth < 6; error = error.cause, depth++) {
    if ("code" in error && typeof error.code === "string" && CODES.has(error.code)) return true;
    if (SAID.test(error.message)) return true;
    if (error instanceof AggregateError && error.errors.some(isDatabaseUnavailable)) return true;
  }
  return false;
}
