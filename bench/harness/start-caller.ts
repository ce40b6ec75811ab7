import { fork, type SpawnOptions } from "node:child_process";
import { once } from "node:events";
import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Block, Series } from "./measure";
import { endProcess } from "./product-processes";

export type Start = { program: string; args: string[]; options: Pick<SpawnOptions, "cwd" | "env" | "uid" | "gid"> };

export type Caller = {
  block(start: Start, value: unknown, block: Block): Promise<Series>;
  stop(): Promise<void>;
};

type Answer = { series: Series } | { error: string };

export function startCaller(): Caller {
  const child = fork(fileURLToPath(new URL("./caller.mjs", import.meta.url)), [], { execArgv: [] });
  return {
    async block(start, value, block) {
      const answered = once(child, "message");
      child.send({ start, input: JSON.stringify(value), ...block });
      const [answer] = (await answered) as [Answer];
      if ("error" in answer) throw new Error(answer.error);
      return answer.series;
    },
    stop: () => endProcess(child),
  };
}

export type SpawnInBwrap = (executable: Executable) => Start;

/** A user id without any rights, for when the bench runs as root. */
const UID = 61_000;

/**
 * Runs executables in bubblewrap alone: all namespaces, no capability, the system's programs and the skill read-only, one
 * file system in memory; no filter, no limits. The command line is the bench's own, so that changes to the worker's do not
 * affect the baseline. Null where bubblewrap does not work.
 */
export async function prepareBwrap(caller: Caller): Promise<SpawnInBwrap | null> {
  const system = systemMounts();
  const start = (folder: string, entry: string): Start => ({
    program: "bwrap",
    args: [...NAMESPACES, ...system, ...ownMounts(folder), "--", entry],
    options: {
      cwd: "/",
      env: { HOME: "/tmp", TMPDIR: "/tmp", SHLVL: "1", PATH: process.env.PATH } as unknown as NodeJS.ProcessEnv,
      ...(process.getuid?.() === 0 ? { uid: UID, gid: UID } : {}),
    },
  });
  const once = { count: 1, concurrency: 1 };
  const works = await caller.block(start("/usr", "/bin/cat"), {}, once).catch(() => null);
  return works && (({ file, folder }) => start(folder, `/skill/${basename(file)}`));
}

const NAMESPACES = [
  ...["--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup"],
  ...["--die-with-parent", "--new-session", "--cap-drop", "ALL", "--unsetenv", "PATH"],
];

function systemMounts(): string[] {
  const mounts = ["--ro-bind", "/usr", "/usr", "--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache"];
  for (const path of ["/bin", "/sbin", "/lib", "/lib64"]) {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found?.isSymbolicLink()) mounts.push("--symlink", readlinkSync(path), path);
    else if (found) mounts.push("--ro-bind", path, path);
  }
  const node = realpathSync(process.execPath);
  const prefix = join(dirname(node), "..");
  return node.startsWith("/usr/") ? mounts : [...mounts, "--ro-bind", prefix, prefix];
}

function ownMounts(folder: string): string[] {
  const memory = ["--size", String(256 * 1024 ** 2), "--tmpfs", "/tmp"];
  return ["--proc", "/proc", "--dev", "/dev", ...memory, "--ro-bind", folder, "/skill", "--chdir", "/skill"];
}

export type Executable = { file: string; folder: string; home: string };

export function spawnDirectly({ file, folder, home }: Executable): Start {
  const env = { HOME: home, TMPDIR: home, SHLVL: "1" } as unknown as NodeJS.ProcessEnv;
  return { program: file, args: [], options: { cwd: folder, env } };
}
