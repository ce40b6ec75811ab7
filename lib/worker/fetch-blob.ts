import { setTimeout as delay } from "node:timers/promises";
import type { Server } from "./connect-server";
import { createBackOff } from "./create-back-off";
import type { Lease } from "./protocol";
import { RunFailure } from "./run-failure";
import { ServerError } from "./server-error";

const PATIENCE_MS = 60_000;

/**
 * Fetches one file of a lease, again and again for up to 60 s while the server is away. Throws RunFailure `spawn_failed`
 * when it cannot be had, and the abort error when the run is stopped meanwhile.
 */
export async function fetchBlob(server: Server, lease: Lease, sha256: string, signal: AbortSignal): Promise<Buffer> {
  const deadline = performance.now() + PATIENCE_MS;
  const backOff = createBackOff();
  for (;;) {
    try {
      return await server.fetchBlob(lease, sha256, signal);
    } catch (cause) {
      if (signal.aborted || !(cause instanceof ServerError)) throw cause;
      if (cause.isUnauthorized || cause.isAbsent || performance.now() > deadline) {
        throw new RunFailure("spawn_failed", `A file of the skill could not be fetched: ${cause.message}`, { cause });
      }
      await delay(backOff.nextMs(), undefined, { signal });
    }
  }
}
