import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Use } from "../files/watch-use";

/** Where this worker makes a control group for each run. With version 2 both are the same directory. */
export type Cgroups = { version: 1 | 2; memoryDir: string; pidsDir: string };

/**
 * Finds the control groups that limit a run as a whole, by making one; null where this process may not. `root` is the
 * mounted hierarchy and `own` the content of /proc/self/cgroup. What killed workers left behind is removed.
 */
export function probeCgroups(root = "/sys/fs/cgroup", own = readOr("/proc/self/cgroup")): Cgroups | null {
  for (const probe of [probeUnified, probeByController]) {
    try {
      const found = probe(root, own);
      if (found) return found;
    } catch {
      // Not mounted, read-only, or not ours to write: the limits of each process are what there is.
    }
  }
  return null;
}

/** Version 2: a group either has processes or hands controllers on, so this process moves into one of its own first. */
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
  return tryOut({ version: 2, memoryDir: dir, pidsDir: dir });
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
  return memoryDir && pidsDir ? tryOut({ version: 1, memoryDir, pidsDir }) : null;
}

function makeOwn(base: string): string {
  const dir = join(base, `skillgate-${process.pid}`);
  mkdirSync(dir, { recursive: true });
  return dir;
}

function tryOut(cgroups: Cgroups): Cgroups {
  const group = makeGroup(cgroups, "probe", { memoryBytes: 64 * 1024 ** 2, processes: 16 });
  group.remove();
  return cgroups;
}

export type RunGroup = {
  /** Files that a process id is written to. */
  procs: string[];
  /** How often the kernel ended a process of the group for its memory. */
  memoryKills(): number;
  /** Of its processes since they were in it. Version 1 counts processor time in a hierarchy of its own. */
  use(): Use;
  remove(): void;
};

/** A group with limits for all processes in it together. Throws when the kernel refuses. */
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

/** Removes what this worker made, at its end. */
export function removeCgroups({ memoryDir, pidsDir }: Cgroups): void {
  for (const dir of new Set([memoryDir, pidsDir])) removeWithChildren(dir);
}

/** A group can only go once nothing is in it; what stays is removed when a worker starts next. */
function removeGroup(dir: string): void {
  try {
    rmdirSync(dir);
  } catch {
    // Somebody is still in it.
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
