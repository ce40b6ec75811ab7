import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";

export type Executable = { file: string; folder: string; home: string };

/** Runs an executable as the worker does, with nothing in between: JSON on stdin, one JSON value from stdout. */
export function spawnDirectly({ file, folder, home }: Executable, args: unknown): Promise<unknown> {
  const env = { HOME: home, TMPDIR: home, SHLVL: "1" };
  const child = spawn(file, [], {
    cwd: folder,
    // The type asks for NODE_ENV, which Next adds to it; the worker does not pass it either.
    env: env as unknown as NodeJS.ProcessEnv,
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
  return readAnswer(child, file, args);
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** Feeds a process its arguments and reads its one JSON value. */
export function readAnswer(child: Child, file: string, args: unknown): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.stderr.resume();
    child.once("error", reject);
    child.once("close", (code) => {
      if (code !== 0) return reject(new Error(`${file} ended with exit code ${code}`));
      resolve(JSON.parse(Buffer.concat(chunks).toString("utf8")));
    });
    child.stdin.end(JSON.stringify(args));
  });
}
