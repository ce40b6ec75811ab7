import { type ChildProcess, spawn } from "node:child_process";
import { accessSync, constants, mkdirSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { delimiter, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Pack, placePack } from "./bench-packs";

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

/** nginx in front of eight fcgiwrap processes: the smallest setup that starts a process per HTTP request. */
export async function startCgi(folder: string, packs: Pack[]): Promise<Peer | null> {
  const nginx = findProgram("nginx");
  const fcgiwrap = findProgram("fcgiwrap");
  if (!nginx || !fcgiwrap) return null;
  const home = join(folder, "cgi");
  mkdirSync(home, { recursive: true });
  const port = await freePort();
  const socket = join(home, "fcgi.sock");
  const config = join(home, "nginx.conf");
  writeFileSync(config, nginxConfig({ home, port, socket, packs }));
  const stop = await startParts(
    [
      { program: fcgiwrap, args: ["-c", "8", "-s", `unix:${socket}`], home },
      { program: nginx, args: ["-p", home, "-c", config, "-e", join(home, "error.log")], home },
    ],
    port,
  );
  return { url: (pack) => `http://127.0.0.1:${port}/${pack}`, stop };
}

type Config = { home: string; port: number; socket: string; packs: Pack[] };

function nginxConfig({ home, port, socket, packs }: Config): string {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const locations = packs.map((pack) => {
    const { file } = placePack(join(home, "packs"), pack, "cgi");
    return `location = /${pack.name} {
      fastcgi_pass unix:${socket};
      fastcgi_param SCRIPT_FILENAME ${file};
      fastcgi_param REQUEST_METHOD $request_method;
      fastcgi_param CONTENT_LENGTH $content_length;
      fastcgi_param CONTENT_TYPE $content_type;
    }`;
  });
  return `daemon off;
  ${process.getuid?.() === 0 ? "user root;" : ""}
  worker_processes 1;
  pid ${join(home, "nginx.pid")};
  error_log ${join(home, "error.log")};
  events {}
  http {
    access_log off;
    keepalive_requests 1000000;
    ${temporary.map((kind) => `${kind}_temp_path ${join(home, kind)};`).join("\n")}
    server {
      listen 127.0.0.1:${port};
      ${locations.join("\n")}
    }
  }
  `;
}
