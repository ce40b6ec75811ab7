import { type ChildProcess, fork } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

export const root = join(import.meta.dirname, "..", "..");
const START_MS = 60_000;
const STOP_MS = 8_000;
const OPERATORS_OWN = /^(SKILLGATE_|NEXTAUTH_|DATABASE_URL$|PUBLIC_URL$|HOST$|NODE_ENV$|npm_)/;

export type Ready = { type: "ready"; workerUrl: string; workerToken: string };

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
