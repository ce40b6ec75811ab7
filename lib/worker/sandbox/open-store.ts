import { spawn } from "node:child_process";
import { totalmem } from "node:os";
import { findProgram } from "@/lib/core/find-program";
import { isBelow } from "@/lib/policy/worker-allowance";

/**
 * A file system in memory that holds the verified files of skills. It is mounted in a mount namespace of its own, so that no
 * other process of the host finds it at any path; root alone can enter that namespace.
 */
export type SkillStore = {
  /** Where it is mounted in that namespace; runs are built from there. */
  dir: string;
  /** Where this process reads and writes what is at a path of that namespace. */
  fileOf(path: string): string;
  /** Puts a command into that namespace; it starts as root and takes a user id, if one is named. */
  enter(command: string[], uid?: number | null): string[];
  /** File of the namespace, for nsenter. */
  mounts: string;
  /** How many runs use each version now, by its digest. */
  inUse: Map<string, number>;
  close(): void;
};

/**
 * Where no run is given anything of the host, and what nobody can remove: a mount ends in every namespace when the directory
 * below it is removed on the host, as programs that clear temporary files away do.
 */
const DIR = "/sys";
const MIB = 1024 ** 2;
const READY_MS = 10_000;
const HOLD = 'mount -t tmpfs -o "mode=711,nosuid,nodev,size=$2" none "$1" && echo ready && read -r _';

/** At most a quarter of the memory, and 2 GiB. */
const sizeOf = (memory: number) => Math.max(128 * MIB, Math.min(memory / 4, 2048 * MIB));

/**
 * Opens the store. `onGone` hears when it ends before it is closed. Null where this process may not: that takes root, and
 * `unshare`, `nsenter` and `mount` of util-linux.
 */
export async function openStore(onGone: () => void = () => {}): Promise<SkillStore | null> {
  const [unshare, nsenter] = [findProgram("unshare"), findProgram("nsenter")];
  if (process.getuid?.() !== 0 || unshare === null || nsenter === null) return null;
  // Mounts that the host makes later are to be seen in it; its own are not to be seen by the host.
  const apart = [unshare, "--mount", "--propagation", "slave", "--"];
  const [program = "", ...args] = [...apart, "/bin/sh", "-c", HOLD, "sh", DIR, String(sizeOf(totalmem()))];
  const holder = spawn(program, args, {
    cwd: "/",
    env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" } as unknown as NodeJS.ProcessEnv,
    stdio: ["pipe", "pipe", "ignore"],
    detached: true,
  });
  holder.stdin.on("error", () => {});
  const isReady = await new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), READY_MS);
    const settle = (ready: boolean) => {
      clearTimeout(timer);
      resolve(ready);
    };
    holder.stdout.once("data", () => settle(true));
    holder.once("error", () => settle(false));
    holder.once("exit", () => settle(false));
  });
  if (!isReady || holder.pid === undefined) {
    holder.kill("SIGKILL");
    return null;
  }
  let isClosed = false;
  holder.once("exit", () => {
    if (!isClosed) onGone();
  });
  // It must not keep this process, which ends it by its own end.
  holder.unref();
  for (const stream of [holder.stdin, holder.stdout]) (stream as unknown as { unref(): void }).unref();
  const mounts = `/proc/${holder.pid}/ns/mnt`;
  const root = `/proc/${holder.pid}/root`;
  return {
    dir: DIR,
    mounts,
    inUse: new Map(),
    fileOf: (path) => (isBelow(path, DIR) ? `${root}${path}` : path),
    enter: (command, uid = null) => [
      nsenter,
      `--mount=${mounts}`,
      ...(uid === null ? [] : [`--setgid=${uid}`, `--setuid=${uid}`]),
      "--",
      ...command,
    ],
    close() {
      isClosed = true;
      holder.stdin.end();
    },
  };
}

/** Where this process reads the files of a skill that runs of this isolation have mounted from `skillDir`. */
export function filesOf(isolation: { kind: string; store?: SkillStore | null }, skillDir: string): string {
  return isolation.store?.fileOf(skillDir) ?? skillDir;
}
