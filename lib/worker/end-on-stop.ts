import type { EmitEvent } from "./emit-event";
import { listChildren, type ProcessTree } from "./find-tree";
import { killTree, signalGroup } from "./kill-tree";
import { readStopReason } from "./stop-reason";

type Run = { tree: ProcessTree; isSandboxed: boolean; emit: EmitEvent };

/**
 * Ends a run's processes when its signal is aborted: SIGTERM to the entry's group, and SIGKILL to the whole tree after the
 * reason's grace. Returns how to forget about it, for when the entry has exited by itself.
 */
export function endOnStop(signal: AbortSignal, { tree, isSandboxed, emit }: Run): () => void {
  let timer: NodeJS.Timeout | undefined;

  function end(): void {
    const reason = readStopReason(signal);
    if (reason === null) return;
    emit("system", `${reason.message} The run is being ended.`);
    if (reason.graceMs === 0) kill();
    else {
      for (const leader of findLeaders(tree, isSandboxed)) terminate(leader);
      timer = setTimeout(kill, reason.graceMs);
    }
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

/**
 * Who leads the entry's process group: its shell, or itself, if only by its own doing. In a sandbox that is bubblewrap's
 * first process inside, which itself hears no signal; bubblewrap outside would end everything at once, without any grace.
 */
function findLeaders({ leader, shell }: ProcessTree, isSandboxed: boolean): number[] {
  if (leader === null) return [];
  if (isSandboxed) return listChildren(leader);
  return shell === undefined ? [leader] : [shell, leader];
}

function terminate(leader: number): void {
  signalGroup(leader, "SIGTERM");
  // A stopped process would only get the first signal once it goes on.
  signalGroup(leader, "SIGCONT");
}
