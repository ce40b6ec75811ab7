import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

/** Says who it is and lives until it hears the end of its input. */
const HOLDER = ["/bin/sh", "-c", 'echo "$$"; read -r _'];

export type HeldNetwork = {
  /** For nsenter. */
  path: string;
  /** Whoever entered it keeps it from now on. */
  letGo(): void;
};

/**
 * Makes a network namespace with a loopback and nothing else, which bubblewrap sets up for a process that holds it. Takes
 * root. Rejects when it cannot be made.
 */
export async function openNetwork(bwrap: string): Promise<HeldNetwork> {
  const holder = spawn(bwrap, ["--unshare-net", "--die-with-parent", "--dev-bind", "/", "/", "--", ...HOLDER], {
    cwd: "/",
    env: {} as NodeJS.ProcessEnv,
    stdio: ["pipe", "pipe", "pipe"],
  });
  holder.stdin.on("error", () => {});
  const pid = await readPid(holder);
  return { path: `/proc/${pid}/ns/net`, letGo: () => void holder.stdin.end() };
}

async function readPid(holder: ChildProcess & { stdout: NodeJS.ReadableStream }): Promise<number> {
  const [said] = await Promise.race([
    once(holder.stdout, "data"),
    once(holder, "close").then(() => [""]),
    once(holder, "error").then(([error]) => Promise.reject(error)),
  ]);
  const pid = Number(String(said));
  if (!(pid > 0)) throw new Error("bubblewrap made no network of its own");
  return pid;
}
