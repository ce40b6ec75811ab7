import { processStore } from "@/lib/core/process-store";
import { stoppingSignal } from "./stopping-signal";

/**
 * Whether this process is about to stop: it still answers everything, and asks to be sent nothing new. It begins before
 * `stoppingSignal`, so that whoever spreads the requests has time to hear of it.
 */
export function isDraining(): boolean {
  return draining().isOn || stoppingSignal().aborted;
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
