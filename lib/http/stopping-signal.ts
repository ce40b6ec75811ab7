import { setMaxListeners } from "node:events";
import { processStore } from "@/lib/core/process-store";

/** Aborts when the process begins to stop, so that answers that would stay open for long end now. */
export function stoppingSignal(): AbortSignal {
  return processStore("stopping", () => {
    const controller = new AbortController();
    // Each request under way listens.
    setMaxListeners(0, controller.signal);
    // Said by the process that holds the listener, before it waits for what is under way.
    process.once("skillgate:stopping" as "exit", () => controller.abort());
    return controller.signal;
  });
}
