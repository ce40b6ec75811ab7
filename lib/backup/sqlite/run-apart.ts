import { execFile } from "node:child_process";
import { join } from "node:path";
import { z } from "zod";

const Failed = z.object({ failed: z.object({ code: z.string().nullable(), message: z.string() }) });
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

type Task =
  | { task: "copy"; from: string; to: string }
  | { task: "check"; file: string; quick: boolean }
  | { task: "inspect"; file: string };

/** It was not done within the time it was given. */
export class TooSlow extends Error {}

/**
 * Runs one task of `bin/sqlite-apart.mjs`, a process of its own, and answers what it says. Throws with SQLite's code when it
 * fails, `TooSlow` after `timeoutMs` (none when left out).
 */
export function runApart<T extends z.ZodType>(task: Task, answer: T, timeoutMs = 0): Promise<z.output<T>> {
  const program = join(/* turbopackIgnore: true */ process.cwd(), "bin", "sqlite-apart.mjs");
  return new Promise((resolve, reject) => {
    const options = { timeout: timeoutMs, killSignal: "SIGKILL", maxBuffer: MAX_ANSWER_BYTES } as const;
    // Without the environment: what preloads programs of ours into this process is not meant for it.
    const env = { PATH: process.env.PATH, NODE_ENV: "production" } as const;
    execFile(process.execPath, [program, JSON.stringify(task)], { ...options, env }, (error, stdout, stderr) => {
      if (error?.killed) return reject(new TooSlow(`${task.task} took longer than ${timeoutMs} ms`));
      const failed = Failed.safeParse(parseJson(stdout));
      if (failed.success) {
        const { code, message } = failed.data.failed;
        return reject(Object.assign(new Error(message), { code }));
      }
      if (error) return reject(new Error(`A database could not be read: ${stderr.trim() || error.message}`));
      resolve(answer.parse(parseJson(stdout)));
    });
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
