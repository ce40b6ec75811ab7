import { type ChildProcess, execFileSync, fork } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const root = join(import.meta.dirname, "..", "..");
const START_MS = 60_000;
const STOP_MS = 8_000;
const OPERATORS_OWN = /^(SKILLGATE_|NEXTAUTH_|DATABASE_URL$|PUBLIC_URL$|HOST$|NODE_ENV$|npm_)/;

export type Ready = { type: "ready"; workerUrl: string; workerToken: string };

const ticksPerSecond = existsSync("/proc/self/stat") ? Number(execFileSync("getconf", ["CLK_TCK"])) : null;

export class MissingBuild extends Error {}

/** Throws `MissingBuild` when the product is not built; `NEXT_DIST_DIR` names the build, as for the server. */
export function requireBuild(): void {
  const missing = [join(process.env.NEXT_DIST_DIR || ".next", "BUILD_ID"), ".build/worker.mjs"].find(
    (file) => !existsSync(join(root, file)),
  );
  if (missing)
    throw new MissingBuild(`There is no build to measure (${missing} is missing). Run npm start once, then again.`);
}

/** The environment of this process without variables that could point the product at real data. */
export function inheritedEnvironment(): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !OPERATORS_OWN.test(name)));
}

export function forkProduct(file: string, args: string[], env: Record<string, string | undefined>): ChildProcess {
  return fork(join(root, file), args, {
    cwd: root,
    env: env as NodeJS.ProcessEnv,
    // This process runs TypeScript through a loader, which the product must not use.
    execArgv: [],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
}

/** Resolves with the ready message of a process; rejects when it ends before, or after `patienceMs`. */
export function whenReady<T>(child: ChildProcess, name: string, patienceMs = START_MS): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`The ${name} was not ready within ${patienceMs / 1000} s.`)),
      patienceMs,
    );
    child.once("exit", (code, signal) => {
      clearTimeout(timer);
      reject(new Error(`The ${name} ended with ${signal ?? `exit code ${code}`} instead of starting.`));
    });
    child.on("message", (message: { type?: string }) => {
      if (message.type !== "ready") return;
      clearTimeout(timer);
      resolve(message as T);
    });
  });
}

export function endProcess(child: ChildProcess, signal: "SIGTERM" | "SIGKILL" = "SIGTERM"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
    child.once("exit", () => {
      clearTimeout(timer);
      resolve();
    });
    child.kill(signal);
  });
}

/** CPU time of a process without its children, in ms, in steps of 10 ms (proc(5), utime and stime); null without /proc. */
export function cpuMsOf(pid: number): number | null {
  if (ticksPerSecond === null) return null;
  // The program's name, in parentheses, may contain spaces; the fields after it count from the third.
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond;
}

/** Memory of a process in MiB, all resident or only anonymous memory; null without /proc. */
export function memoryMiBOf(pid: number, part: "VmRSS" | "RssAnon" = "VmRSS"): number | null {
  if (ticksPerSecond === null) return null;
  const kib = new RegExp(`^${part}:\\s+(\\d+) kB$`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return kib === undefined ? null : Math.round(Number(kib) / 1024);
}
