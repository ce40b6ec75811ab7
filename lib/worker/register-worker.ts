import { setTimeout as delay } from "node:timers/promises";
import { version } from "@/package.json";
import { createBackOff } from "./create-back-off";
import type { Worker } from "./create-worker";
import { findOffers } from "./find-offers";
import { describeIsolation, isolationLevel } from "./sandbox/describe-isolation";
import { ServerError } from "./server-error";

/** Tells the server who this worker is, until it is heard. Throws ServerError only when the token is not accepted. */
export async function registerWorker(worker: Worker, signal: AbortSignal): Promise<void> {
  const backOff = createBackOff();
  for (;;) {
    try {
      const { workerId, name } = await worker.server.register({
        name: worker.name,
        version,
        platform: `${process.platform} ${process.arch} node ${process.versions.node}`,
        pid: process.pid,
        slots: worker.slotCount,
        isolation: isolationLevel(worker.isolation),
        isolationFacts: describeIsolation(worker.isolation),
        capabilities: worker.capabilities,
        ...(await findOffers(process.env)),
        allows: worker.access.allows,
      });
      worker.log.info(
        { workerId, name, slots: worker.slotCount, isolation: describeIsolation(worker.isolation) },
        "registered",
      );
      return;
    } catch (error) {
      if (!(error instanceof ServerError) || error.isUnauthorized) throw error;
      worker.log.warn({ cause: error.message }, "not registered, trying again");
      await delay(backOff.nextMs(), undefined, { signal });
    }
  }
}
