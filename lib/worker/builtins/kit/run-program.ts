import { spawn } from "node:child_process";
import { findProgram } from "@/lib/core/find-program";
import { BuiltinError, type BuiltinIo } from "./builtin";

/** A run has no PATH unless it was granted one. */
export const PROGRAM_DIRS = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"];

export type ProgramEnd = {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  truncated: boolean;
  timedOut: boolean;
};

type Limits = { timeoutMs: number; maxBytes: number; cwd?: string };

/** Runs a program without shell and input, with its children killed at the time limit. Throws BuiltinError if missing. */
export async function runProgram(
  io: Pick<BuiltinIo, "programDirs" | "env">,
  [name, ...args]: [string, ...string[]],
  { timeoutMs, maxBytes, cwd }: Limits,
): Promise<ProgramEnd> {
  const path = findProgram(name, io.programDirs);
  if (path === null) throw new BuiltinError(`${name} is not installed on this worker.`);
  const { HOME, TMPDIR } = io.env;
  const env = { PATH: io.programDirs.join(":"), LC_ALL: "C.UTF-8", HOME, TMPDIR } as unknown as NodeJS.ProcessEnv;
  const child = spawn(path, args, { env, cwd, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  const stdout = collect(maxBytes);
  const stderr = collect(maxBytes);
  child.stdout.on("data", stdout.add);
  child.stderr.on("data", stderr.add);
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    killGroup(child.pid);
  }, timeoutMs);
  const end = await new Promise<Pick<ProgramEnd, "exitCode" | "signal">>((resolve, reject) => {
    child.once("error", (cause) => reject(new BuiltinError(`${name} could not be started: ${cause.message}.`)));
    // Processes that it left in its group may hold the pipes open.
    child.once("exit", () => killGroup(child.pid));
    child.once("close", (exitCode, signal) => resolve({ exitCode, signal }));
  }).finally(() => clearTimeout(timer));
  const truncated = stdout.isCut() || stderr.isCut();
  return { ...end, stdout: stdout.text(), stderr: stderr.text(), truncated, timedOut };
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // The group is empty.
  }
}

function collect(maxBytes: number) {
  const chunks: Buffer[] = [];
  let kept = 0;
  let cut = false;
  return {
    add(chunk: Buffer) {
      const part = chunk.subarray(0, maxBytes - kept);
      if (part.length < chunk.length) cut = true;
      if (part.length === 0) return;
      chunks.push(part);
      kept += part.length;
    },
    text: () => Buffer.concat(chunks).toString("utf8"),
    isCut: () => cut,
  };
}
