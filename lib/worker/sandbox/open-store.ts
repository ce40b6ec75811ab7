import { spawn } from "node:child_process";
import { totalmem } from "node:os";
import { findProgram } from "@/lib/core/find-program";
import { isBelow } from "@/lib/policy/worker-allowance";

/**
 * A file system in memory with the verified files of skills. It is mounted in a separate mount namespace, so that no other
 * process of the host finds it at any path; only root can enter that namespace.
 */
export type SkillStore = {
  /** Its mount point in that namespace; runs are built from there. */
  dir: string;
  /** The path at which this process can access a path of that namespace. */
  fileOf(path: string): string;
  /** A command line that runs a command in that namespace; it starts as root and takes the user id, if given. */
  enter(command: string[], uid?: number | null): string[];
  mounts: string;
  /** Number of runs that use each version now, by its digest. */
  inUse: Map<string, number>;
  close(): void;
};

/**
 * A directory that runs are never given and that cannot be removed on the host: removing a mount's directory, as cleaners
 * of temporary files do, ends the mount in every namespace.
 */
const DIR = "/sys";
const MIB = 1024 ** 2;
const READY_MS = 10_000;
const HOLD = 'mount -t tmpfs -o "mode=711,nosuid,nodev,size=$2" none "$1" && echo ready && read -r _';

/** At most a quarter of the memory, and 2 GiB. */
const sizeOf = (memory: number) => Math.max(128 * MIB, Math.min(memory / 4, 2048 * MIB));

/** Opens the store; `onGone` reports an unexpected end. Null without root, or without util-linux. */
export async function openStore(onGone: () => void = () => {}): Promise<SkillStore | null> {
  const [unshare, nsenter] = [findProgram("unshare"), findProgram("nsenter")];
  if (process.getuid?.() !== 0 || unshare === null || nsenter === null) return null;
  // Later mounts of the host become visible in it; its own mounts stay invisible to the host.
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
  // The holder must not keep this process alive. When this process ends, the holder's stdin closes, and the holder ends.
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

/** Where this process reads the skill files that runs of this isolation mount from `skillDir`. */
export function filesOf(isolation: { kind: string; store?: SkillStore | null }, skillDir: string): string {
  return isolation.store?.fileOf(skillDir) ?? skillDir;
}
