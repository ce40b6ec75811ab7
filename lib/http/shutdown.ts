import { setMaxListeners } from "node:events";
import { processStore } from "@/lib/core/process-store";

/** Aborts when the process begins to stop, so that answers that would stay open for long end now. */
export function shutdownSignal(): AbortSignal {
  return processStore("stopping", () => {
    const controller = new AbortController();
    // Each request under way listens.
    setMaxListeners(0, controller.signal);
    // Said by the process that holds the listener, before it waits for what is under way.
    process.once("skillgate:stopping" as "exit", () => controller.abort());
    return controller.signal;
  });
}

/**
 * Does what may wait for long under a signal that is aborted when the caller hangs up and when the process begins to stop.
 * Not `AbortSignal.any`: the process's own signal would keep a note of each request for as long as the process lives.
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
 * Whether this process is about to stop: it still answers everything, and asks to be sent nothing new. It begins before
 * `stoppingSignal`, so that whoever spreads the requests has time to hear of it.
 */
export function isDraining(): boolean {
  return draining().isOn || shutdownSignal().aborted;
}

/** Listens for the word of the process that holds the listener; called once at the start. */
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
