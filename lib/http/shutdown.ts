import { setMaxListeners } from "node:events";
import { processStore } from "@/lib/core/process-store";

/** Aborts when the process begins to stop, so that long responses end. */
export function shutdownSignal(): AbortSignal {
  return processStore("stopping", () => {
    const controller = new AbortController();
    setMaxListeners(0, controller.signal);
    // Emitted by bin/web.mjs before it waits for open requests.
    process.once("skillgate:stopping" as "exit", () => controller.abort());
    return controller.signal;
  });
}

/**
 * Runs `work` with a signal that aborts when the caller disconnects and when the process stops. Not `AbortSignal.any`:
 * the process-wide signal would retain a reference to each request.
 */
export async function untilShutdown<T>(caller: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const ends = [caller, shutdownSignal()];
  const controller = new AbortController();
  const end = () => controller.abort();
  if (ends.some(({ aborted }) => aborted)) end();
  for (const signal of ends) signal.addEventListener("abort", end);
  try {
    return await work(controller.signal);
  } finally {
    for (const signal of ends) signal.removeEventListener("abort", end);
  }
}

/**
 * Whether this process is draining: it answers everything, but reports that it is not ready. Precedes `shutdownSignal`,
 * so that load balancers notice in time.
 */
export function isDraining(): boolean {
  return draining().isOn || shutdownSignal().aborted;
}

/** Listens for the event of bin/web.mjs; called once at the start. */
export function listenForDraining(): void {
  draining();
}

function draining(): { isOn: boolean } {
  return processStore("draining", () => {
    const state = { isOn: false };
    process.once("skillgate:draining" as "exit", () => {
      state.isOn = true;
    });
    return state;
  });
}
