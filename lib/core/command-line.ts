import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Env, parseEnv } from "./env";

/** Ends a command with a message on stderr: exit code 0 for help, 1 for failed work, 2 for wrong usage. */
export class CommandEnd extends Error {
  readonly code: 0 | 1 | 2;

  constructor(message: string, code: 0 | 1 | 2) {
    super(message);
    this.code = code;
  }
}

/**
 * Runs a command line program; `work` returns its exit code. Prints `usage` and exits with 2 when `parseArgs` rejects
 * the arguments.
 */
export async function runCommand(usage: string, work: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await work();
  } catch (error) {
    const isMisused = error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
    const end = isMisused ? new CommandEnd(usage, 2) : error;
    if (!(end instanceof CommandEnd)) throw error;
    console.error(end.message);
    process.exitCode = end.code;
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Resolves a path against the folder in which the person typed the command; npm runs scripts in the project's folder.
 */
export function placeOf(path: string): string {
  return resolve(process.env.INIT_CWD ?? process.cwd(), path);
}

/**
 * Environment of a command: with `--data` that data directory and no variable that points elsewhere, else this
 * process's.
 */
export function environmentFor(data: string | undefined): Record<string, string | undefined> {
  if (data === undefined) return process.env;
  return { ...process.env, SKILLGATE_DATA: placeOf(data), DATABASE_URL: undefined, SKILLGATE_KEYS: undefined };
}

/** Configuration of a command, see `environmentFor`. `dotEnv` reads `.env` as the server does. Throws `CommandEnd`. */
export function commandEnv(data: string | undefined, { dotEnv = false } = {}): Env {
  // Variables of the process override the file.
  if (dotEnv && existsSync(".env")) process.loadEnvFile();
  const parsed = parseEnv(environmentFor(data));
  if ("problems" in parsed) throw new CommandEnd(parsed.problems.join("\n"), 2);
  return parsed.env;
}

/**
 * Arguments of a command that takes one folder and `--json`. Null, with a message and exit code 2, without such a
 * folder.
 */
export function readFolderArgument(command: string): { folder: string; json: boolean } | null {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { json: { type: "boolean", default: false } },
  });
  const [given, ...more] = positionals;
  if (given === undefined || more.length > 0) return refuse(`usage: npm run ${command} -- FOLDER [--json]`);
  const folder = placeOf(given);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return refuse(`There is no folder ${folder}.`);
  return { folder, json: values.json };
}

function refuse(sentence: string): null {
  console.error(sentence);
  process.exitCode = 2;
  return null;
}
