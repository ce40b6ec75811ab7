import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { z } from "zod";
import { CHAIN_KEY_FILE } from "@/lib/audit/chain/chain-key";
import { verifyFolder } from "@/lib/audit/verify-folder";

const FILE = "skillgate.db";
const Nothing = z.object({});
const Problems = z.object({ problems: z.array(z.string()) });
const Answer = Problems.extend({
  migrations: z.array(z.string()),
  tables: z.record(z.string(), z.number().int()),
  digest: z.string(),
  head: z.object({ seq: z.number().int(), hash: z.string().nullable() }).nullable(),
});

/**
 * By `VACUUM INTO`, which reads everything in one transaction. SQLite's backup interface copies pages in steps and begins
 * anew whenever another connection writes, so that it need not end under load.
 */
export function sqliteCopier(database: string): DatabaseCopier {
  const inspect = (file: string) => runInChildProcess({ task: "inspect", file }, Answer);
  return {
    provider: "sqlite",
    file: FILE,
    size: async () => (await sizeOf(database)) + (await sizeOf(`${database}-wal`)),
    copy: async (to) => {
      await runInChildProcess({ task: "copy", from: database, to }, Nothing);
      return inspect(to);
    },
    assertFree: async () => {},
    place: inspect,
    checkInUse: async () =>
      (await runInChildProcess({ task: "check", file: database, quick: false }, Problems)).problems,
    checkAudit: (folder, facts) => checkAudit(folder, FILE, facts),
  };
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch {
    return 0; // There is no log when nobody has the database open.
  }
}

/** What does not hold in the audit of a copied instance; null when all does, or there is no event yet. */
async function checkAudit(
  folder: string,
  databaseFile: string,
  { head }: Pick<DatabaseFacts, "head">,
): Promise<string | null> {
  if (head === null) return null;
  if (!existsSync(join(folder, CHAIN_KEY_FILE))) return `${CHAIN_KEY_FILE} is missing, so nothing can be checked`;
  const { firstBroken } = await verifyFolder(folder, { file: join(folder, databaseFile) }, () => nextTurn());
  return firstBroken?.message ?? null;
}

const Failed = z.object({ failed: z.object({ code: z.string().nullable(), message: z.string() }) });
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

type Task =
  | { task: "copy"; from: string; to: string }
  | { task: "check"; file: string; quick: boolean }
  | { task: "inspect"; file: string };

/** It was not done within the time it was given. */
export class TaskTimeout extends Error {}

/**
 * Runs one task of `bin/sqlite-apart.mjs`, a process of its own, and answers what it says. Throws with SQLite's code when it
 * fails, `TooSlow` after `timeoutMs` (none when left out).
 */
export function runInChildProcess<T extends z.ZodType>(task: Task, answer: T, timeoutMs = 0): Promise<z.output<T>> {
  const program = join(/* turbopackIgnore: true */ process.cwd(), "bin", "sqlite-apart.mjs");
  return new Promise((resolve, reject) => {
    const options = { timeout: timeoutMs, killSignal: "SIGKILL", maxBuffer: MAX_ANSWER_BYTES } as const;
    // Without the environment: what preloads programs of ours into this process is not meant for it.
    const env = { PATH: process.env.PATH, NODE_ENV: "production" } as const;
    execFile(process.execPath, [program, JSON.stringify(task)], { ...options, env }, (error, stdout, stderr) => {
      if (error?.killed) return reject(new TaskTimeout(`${task.task} took longer than ${timeoutMs} ms`));
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

/** What a copy of a database holds. */
export type DatabaseFacts = {
  migrations: string[];
  tables: Record<string, number>;
  digest: string;
  head: { seq: number; hash: string | null } | null;
};

/** `problems`: what is damaged, a line each; the rest then says nothing. */
export type Inspected = DatabaseFacts & { problems: string[] };

/** How one kind of database is copied while it is written to. One folder for each kind, and nothing else knows which it is. */
export type DatabaseCopier = {
  provider: "sqlite" | "postgresql";
  /** Name of the copy in a backup. */
  file: string;
  /** Bytes a copy takes at most, about. */
  size(): Promise<number>;
  /** What is damaged in the database itself, a line each; writes nothing. */
  checkInUse(): Promise<string[]>;
  /** Writes a consistent copy, as of one moment, to a file that is not there; answers what it holds. */
  copy(to: string): Promise<Inspected>;
  /** Throws when there is something where a copy would be placed, outside the data directory. */
  assertFree(): Promise<void>;
  /** Makes the database of an instance from its copy in the new data directory, and looks at it. */
  place(copy: string): Promise<Inspected>;
  /** What does not hold in the audit of a folder that holds a copy and the keys; null when all does. */
  checkAudit(folder: string, facts: Pick<DatabaseFacts, "head">): Promise<string | null>;
};
