import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";

const READY_MS = 10_000;
/** What is meant for a run can reach its shell, too. A signal that is handled is a new process's as it always was. */
const SURVIVED = ["HUP", "INT", "QUIT", "ALRM", "TERM", "USR1", "USR2"];

export type Shell = ChildProcessByStdio<Writable, Readable, null> & { pid: number };

/** Starts a shell that reads its commands from a pipe, by a command line in front of it. Rejects when it does not answer. */
export async function startShell([program = "", ...args]: string[]): Promise<Shell> {
  const shell = spawn(program, [...args, "/bin/sh", "-s"], {
    cwd: "/",
    env: {} as NodeJS.ProcessEnv,
    detached: true,
    stdio: ["pipe", "pipe", "ignore"],
  });
  // What it cannot be told any more it says by its end.
  shell.stdin.on("error", () => {});
  shell.stdin.write(`trap : ${SURVIVED.join(" ")}\necho ready\n`);
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      shell.kill("SIGKILL");
      reject(new Error("the shell was not ready in time"));
    }, READY_MS);
    const settle = (error: Error | null) => {
      clearTimeout(timer);
      if (error) reject(error);
      else resolve();
    };
    shell.once("error", settle);
    shell.once("exit", () => settle(new Error("the shell ended early")));
    shell.stdout.once("data", () => settle(null));
  });
  return shell as Shell;
}
