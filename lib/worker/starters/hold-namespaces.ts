import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { SkillStore } from "../sandbox/open-store";

/** Says who it is and lives until it hears the end of its input. */
const HOLDER = ["/bin/sh", "-c", 'echo "$$"; read -r _'];

export type HeldNamespaces = {
  /** For nsenter. */
  network: string;
  mounts: string;
  /** Whoever entered them keeps them from now on. */
  letGo(): void;
};

/**
 * Makes a network namespace with a loopback and nothing else, and one for mounts built by `mounts`, which bubblewrap sets up
 * for a process that holds them, from what the store's namespace shows. Takes root. Rejects when they cannot be made.
 */
export async function holdNamespaces(
  bwrap: string,
  mounts: string[],
  store: SkillStore | null = null,
): Promise<HeldNamespaces> {
  const command = [bwrap, "--unshare-net", "--die-with-parent", ...mounts, "--", ...HOLDER];
  const [program = "", ...args] = store?.enter(command) ?? command;
  const holder = spawn(program, args, {
    cwd: "/",
    env: {} as NodeJS.ProcessEnv,
    stdio: ["pipe", "pipe", "pipe"],
  });
  holder.stdin.on("error", () => {});
  const pid = await readPid(holder);
  const namespaces = `/proc/${pid}/ns`;
  return { network: `${namespaces}/net`, mounts: `${namespaces}/mnt`, letGo: () => void holder.stdin.end() };
}

async function readPid(holder: ChildProcess & { stdout: NodeJS.ReadableStream }): Promise<number> {
  const [said] = await Promise.race([
    once(holder.stdout, "data"),
    once(holder, "close").then(() => [""]),
    once(holder, "error").then(([error]) => Promise.reject(error)),
  ]);
  const pid = Number(String(said));
  if (!(pid > 0)) throw new Error("bubblewrap made no namespaces");
  return pid;
}
