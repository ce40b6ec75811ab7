import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { z } from "zod";
import { CHAIN_KEY_FILE } from "@/lib/audit/chain/chain-key";
import { verifyFolder } from "@/lib/audit/verify-folder";
import { parseJson } from "./manifest";

const FILE = "skillgate.db";
const Nothing = z.object({});
const Problems = z.object({ problems: z.array(z.string()) });
const Answer = Problems.extend({
  migrations: z.array(z.string()),
  tables: z.record(z.string(), z.number().int()),
  digest: z.string(),
  head: z.object({ seq: z.number().int(), hash: z.string().nullable() }).nullable(),
});

/** Uses `VACUUM INTO`: SQLite's backup interface restarts at each write and may never end under load. */
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
    return 0; // There is no log while the database is closed.
  }
}

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

export class TaskTimeout extends Error {}

/** Runs a task of `bin/sqlite-apart.mjs`. Throws with SQLite's code, or `TaskTimeout` (`timeoutMs` 0: no limit). */
export function runInChildProcess<T extends z.ZodType>(task: Task, answer: T, timeoutMs = 0): Promise<z.output<T>> {
  const program = join(/* turbopackIgnore: true */ process.cwd(), "bin", "sqlite-apart.mjs");
  return new Promise((resolve, reject) => {
    const options = { timeout: timeoutMs, killSignal: "SIGKILL", maxBuffer: MAX_ANSWER_BYTES } as const;
    // Without the environment, which may preload code into this process only.
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

export type DatabaseFacts = {
  migrations: string[];
  tables: Record<string, number>;
  digest: string;
  head: { seq: number; hash: string | null } | null;
};

/** `problems`: damage, one line each; the other fields are then meaningless. */
export type Inspected = DatabaseFacts & { problems: string[] };

export type DatabaseCopier = {
  provider: "sqlite" | "postgresql";
  file: string;
  /** Approximate maximum size of a copy, in bytes. */
  size(): Promise<number>;
  /** Damage of the live database, one line each; writes nothing. */
  checkInUse(): Promise<string[]>;
  /** Writes a consistent copy to a new file and returns its facts. */
  copy(to: string): Promise<Inspected>;
  /** Throws when the target of `place` outside the data directory is not empty. */
  assertFree(): Promise<void>;
  /** Restores the database from its copy in the new data directory, and checks it. */
  place(copy: string): Promise<Inspected>;
  /** Problem of the audit log in a folder with a copy and the keys; null when it is valid. */
  checkAudit(folder: string, facts: Pick<DatabaseFacts, "head">): Promise<string | null>;
};
