import { type FileHandle, open } from "node:fs/promises";
import type { Use } from "../files/watch-use";
import { listChildren } from "../launch/find-tree";
import type { EntryProcess } from "../launch/spawn-entry";
import type { RunLimits } from "../protocol";
import type { EmitEvent } from "../report/emit-event";
import { type Cgroups, makeGroup, type RunGroup } from "./cgroups";

/**
 * Moving a process into a group makes the kernel wait for about 10 ms, longer than many a run takes. So a run gets its
 * group once it has lived for a moment; until then the limits of each process hold alone.
 */
const JOIN_AFTER_MS = 50;
const PASSES = 50;
/** bubblewrap has two processes of its own. */
const OWN_PROCESSES = 2;

let count = 0;

/**
 * Limits all processes of a run together. Says so in the log when the kernel ended one of them for its memory. Answers
 * what the group used, once the run has ended; only what happened since it was made.
 */
export function joinGroup(child: EntryProcess, cgroups: Cgroups, limits: RunLimits, emit: EmitEvent): () => Use {
  let group: RunGroup | null = null;
  let hasExited = false;
  let use: Use = { cpuMs: null, peakMemoryBytes: null };
  const timer = setTimeout(() => {
    try {
      count += 1;
      group = makeGroup(cgroups, `run-${count}`, {
        // What it writes to its own file system is memory too.
        memoryBytes: limits.memoryBytes + limits.diskBytes,
        processes: limits.processes + OWN_PROCESSES,
      });
      void moveTree(child.pid, group, () => hasExited).catch(() => {});
    } catch {
      // The limits of each process still hold.
    }
  }, JOIN_AFTER_MS);
  child.once("exit", () => {
    hasExited = true;
    clearTimeout(timer);
    if (group === null) return;
    use = group.use();
    const kills = group.memoryKills();
    if (kills > 0) emit("system", memoryMessage(kills, limits));
    setTimeout(group.remove, JOIN_AFTER_MS);
  });
  return () => use;
}

function memoryMessage(kills: number, { memoryBytes, diskBytes }: RunLimits): string {
  const mib = Math.floor((memoryBytes + diskBytes) / 1024 ** 2);
  const what = kills === 1 ? "a process" : `${kills} processes`;
  return `The kernel ended ${what} of the run: together they took more than ${mib} MiB of memory.`;
}

/** What a moved process starts is in the group from its birth; so each pass finds only what was started before. */
async function moveTree(root: number, group: RunGroup, isOver: () => boolean): Promise<void> {
  const files: FileHandle[] = [];
  try {
    for (const path of group.procs) files.push(await open(path, "w"));
    const moved = new Set<number>();
    for (let pass = 0; pass < PASSES && !isOver(); pass += 1) {
      const waiting = listTree(root).filter((pid) => !moved.has(pid));
      if (waiting.length === 0) return;
      for (const pid of waiting) {
        moved.add(pid);
        // One that has ended meanwhile cannot be moved, and need not be.
        for (const file of files) await file.write(String(pid), 0).catch(() => {});
      }
    }
  } finally {
    for (const file of files) await file.close();
  }
}

function listTree(root: number): number[] {
  return [root, ...listChildren(root).flatMap(listTree)];
}
