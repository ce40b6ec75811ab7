import type { EmitEvent } from "./emit-event";
import type { ProcessTree } from "./find-tree";
import { killTree, signalGroup } from "./kill-tree";
import { readStopReason } from "./stop-reason";

/**
 * Ends a run's processes when its signal is aborted: SIGTERM to the group, and SIGKILL to the whole tree after the
 * reason's grace. Returns how to forget about it, for when the entry has exited by itself.
 */
export function endOnStop(signal: AbortSignal, tree: ProcessTree, emit: EmitEvent): () => void {
  let timer: NodeJS.Timeout | undefined;

  function end(): void {
    const reason = readStopReason(signal);
    if (reason === null) return;
    emit("system", `${reason.message} The run is being ended.`);
    if (reason.graceMs === 0) kill();
    else {
      terminate();
      timer = setTimeout(kill, reason.graceMs);
    }
  }

  function terminate(): void {
    if (tree.leader === null) return;
    signalGroup(tree.leader, "SIGTERM");
    // A stopped process would only get the first signal once it goes on.
    signalGroup(tree.leader, "SIGCONT");
  }

  function kill(): void {
    void killTree(tree);
  }

  if (signal.aborted) end();
  else signal.addEventListener("abort", end, { once: true });
  return () => {
    signal.removeEventListener("abort", end);
    clearTimeout(timer);
  };
}
