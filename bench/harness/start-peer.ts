import { type ChildProcess, spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { connect, createServer } from "node:net";
import { delimiter, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const START_MS = 20_000;
const STOP_MS = 3_000;

export type Peer = { url: (pack: string) => string; stop(): Promise<void> };

/** The path of the first of these programs on PATH or in Debian's folders for servers; null when none is installed. */
export function findProgram(...names: string[]): string | null {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin"];
  for (const name of names) {
    for (const folder of folders) {
      if (isExecutable(join(folder, name))) return join(folder, name);
    }
  }
  return null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export type Part = { program: string; args: string[]; home: string };

/** Starts the programs of a peer and waits until its port answers; the returned function ends them with their children. */
export async function startParts(parts: Part[], port: number): Promise<() => Promise<void>> {
  const children: ChildProcess[] = [];
  const stop = async () => {
    for (const child of children.reverse()) await endGroup(child);
  };
  try {
    for (const { program, args, home } of parts) {
      // HOME and SHLVL keep a shell from reading start-up files.
      const env = { PATH: "/usr/bin:/bin", HOME: home, SHLVL: "1" } as unknown as NodeJS.ProcessEnv;
      const child = spawn(program, args, { cwd: home, env, detached: true, stdio: "ignore" });
      child.once("error", () => {});
      children.push(child);
    }
    await answers(port, children);
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}

async function answers(port: number, children: ChildProcess[]): Promise<void> {
  const until = performance.now() + START_MS;
  while (performance.now() < until) {
    if (await canConnect(port)) return;
    const gone = children.find((child) => child.exitCode !== null || child.pid === undefined);
    if (gone) throw new Error(`${gone.spawnfile} ended with exit code ${gone.exitCode} instead of starting`);
    await delay(50);
  }
  throw new Error(`nothing answers on port ${port}`);
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

function endGroup(child: ChildProcess): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return Promise.resolve();
  const signal = (name: NodeJS.Signals) => {
    try {
      process.kill(-pid, name);
    } catch {
      // The whole group has ended.
    }
  };
  if (child.exitCode !== null || child.signalCode !== null) {
    signal("SIGKILL");
    return Promise.resolve();
  }
  return new Promise((resolve) => {
    const timer = setTimeout(() => signal("SIGKILL"), STOP_MS);
    child.once("exit", () => {
      clearTimeout(timer);
      signal("SIGKILL");
      resolve();
    });
    signal("SIGTERM");
  });
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() =>
        address && typeof address === "object" ? resolve(address.port) : reject(new Error("no port")),
      );
    });
  });
}
