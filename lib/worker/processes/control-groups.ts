import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import type { EntryProcess } from "../launch/launcher";
import type { RunLimits } from "../protocol";
import type { EmitEvent } from "../stream-stderr";
import { listChildren } from "./process-tree";
import type { Use } from "./process-use";

/** The parents of the control groups of runs. In version 2 both are the same directory. */
export type Cgroups = { version: 1 | 2; memoryDir: string; pidsDir: string };

/** Finds control groups that can limit a whole run; null where this process may not. Removes those of killed workers. */
export function probeCgroups(root = "/sys/fs/cgroup", own = readOr("/proc/self/cgroup")): Cgroups | null {
  for (const probe of [probeUnified, probeByController]) {
    try {
      const found = probe(root, own);
      if (found) return found;
    } catch {
      // Not mounted, read-only, or not ours to write: only the limits of single processes apply.
    }
  }
  return null;
}

/** Version 2: a group has either processes or controllers for subgroups, so this process first moves into a subgroup. */
function probeUnified(root: string, own: string): Cgroups | null {
  const path = /^0::(\/.*)$/m.exec(own)?.[1];
  const controllers = readOr(join(root, "cgroup.controllers")).split(/\s+/);
  if (path === undefined || !controllers.includes("memory") || !controllers.includes("pids")) return null;
  const base = join(root, path);
  removeLeftovers(base);
  try {
    handOn(base);
  } catch {
    const leaf = join(base, "skillgate-worker");
    mkdirSync(leaf, { recursive: true });
    writeFileSync(join(leaf, "cgroup.procs"), String(process.pid));
    handOn(base);
  }
  const dir = makeOwn(base);
  handOn(dir);
  return checkLimits({ version: 2, memoryDir: dir, pidsDir: dir });
}

function handOn(dir: string): void {
  writeFileSync(join(dir, "cgroup.subtree_control"), "+memory +pids");
}

/** Version 1: one hierarchy for each controller. A container may show its own group as the root. */
function probeByController(root: string, own: string): Cgroups | null {
  const [memoryDir, pidsDir] = ["memory", "pids"].map((controller) => {
    const path = new RegExp(`^\\d+:(?:[^:]*,)?${controller}(?:,[^:]*)?:(/.*)$`, "m").exec(own)?.[1] ?? "/";
    const places = [join(root, controller, path), join(root, controller)];
    const base = places.find((place) => existsSync(join(place, "cgroup.procs")));
    if (base === undefined) return undefined;
    removeLeftovers(base);
    return makeOwn(base);
  });
  return memoryDir && pidsDir ? checkLimits({ version: 1, memoryDir, pidsDir }) : null;
}

function makeOwn(base: string): string {
  const dir = join(base, `skillgate-${process.pid}`);
  mkdirSync(dir, { recursive: true });
  return dir;
}

function checkLimits(cgroups: Cgroups): Cgroups {
  const group = makeGroup(cgroups, "probe", { memoryBytes: 64 * 1024 ** 2, processes: 16 });
  group.remove();
  return cgroups;
}

export type RunGroup = {
  procs: string[];
  memoryKills(): number;
  /** Usage of its processes since they joined. Version 1 counts processor time in another hierarchy. */
  use(): Use;
  remove(): void;
};

export function makeGroup(
  { version, memoryDir, pidsDir }: Cgroups,
  name: string,
  limits: { memoryBytes: number; processes: number },
): RunGroup {
  const memory = join(memoryDir, name);
  const pids = join(pidsDir, name);
  const dirs = [...new Set([memory, pids])];
  for (const dir of dirs) mkdirSync(dir, { recursive: true });
  writeFileSync(join(memory, version === 1 ? "memory.limit_in_bytes" : "memory.max"), String(limits.memoryBytes));
  writeFileSync(join(pids, "pids.max"), String(limits.processes));
  const killsFile = join(memory, version === 1 ? "memory.oom_control" : "memory.events");
  return {
    procs: dirs.map((dir) => join(dir, "cgroup.procs")),
    memoryKills: () => Number(/^oom_kill (\d+)$/m.exec(readOr(killsFile))?.[1] ?? 0),
    use() {
      const cpu = /^usage_usec (\d+)$/m.exec(readOr(join(memory, "cpu.stat")))?.[1];
      const peak = readOr(join(memory, version === 1 ? "memory.max_usage_in_bytes" : "memory.peak"));
      return { cpuMs: cpu ? Number(cpu) / 1000 : null, peakMemoryBytes: Number(peak) || null };
    },
    remove() {
      for (const dir of dirs) removeGroup(dir);
    },
  };
}

export function removeCgroups({ memoryDir, pidsDir }: Cgroups): void {
  for (const dir of new Set([memoryDir, pidsDir])) removeWithChildren(dir);
}

/** A group can be removed only when it is empty; the next start of a worker removes the rest. */
function removeGroup(dir: string): void {
  try {
    rmdirSync(dir);
  } catch {
    // It still has processes.
  }
}

function removeLeftovers(base: string): void {
  for (const name of readdirSync(base)) {
    const pid = Number(/^skillgate-(\d+)$/.exec(name)?.[1]);
    if (!pid || pid === process.pid || existsSync(`/proc/${pid}`)) continue;
    removeWithChildren(join(base, name));
  }
}

function removeWithChildren(dir: string): void {
  for (const entry of readdirSync(dir, { withFileTypes: true }))
    if (entry.isDirectory()) removeGroup(join(dir, entry.name));
  removeGroup(dir);
}

function readOr(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/**
 * Moving a process into a group makes the kernel wait for about 10 ms, longer than many runs take. So a run joins its group
 * after this delay; until then only the limits of single processes apply.
 */
const JOIN_AFTER_MS = 50;
const PASSES = 50;
const OWN_PROCESSES = 2;

let count = 0;

/** Limits all processes of a run together. Returns a function for their usage, valid after the run has ended. */
export function joinGroup(child: EntryProcess, cgroups: Cgroups, limits: RunLimits, emit: EmitEvent): () => Use {
  let group: RunGroup | null = null;
  let hasExited = false;
  let use: Use = { cpuMs: null, peakMemoryBytes: null };
  const timer = setTimeout(() => {
    try {
      count += 1;
      group = makeGroup(cgroups, `run-${count}`, {
        memoryBytes: limits.memoryBytes + limits.diskBytes,
        processes: limits.processes + OWN_PROCESSES,
      });
      void moveTree(child.pid, group, () => hasExited).catch(() => {});
    } catch {
      // The limits of single processes still apply.
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

/** New children of a moved process are in the group from the start, so each pass finds only older ones. */
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
