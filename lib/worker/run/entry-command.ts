import { closeSync, lstatSync, openSync, readSync, realpathSync, type Stats } from "node:fs";
import { dirname } from "node:path";
import { isExecutable } from "@/lib/core/find-program";
import { scriptInput, scriptInterpreter, WORKER_NODE } from "@/lib/skill-format/entry/script-entry";
import type { Lease } from "@/lib/worker/protocol";
import { resolveSkillPath } from "../files/place-skill";
import { RunFailure } from "./run-failure";

/** A script's interpreter and the script's own arguments; the script's path goes between them. */
export type ScriptCommand = { interpreter: string[]; argv: string[] };

/**
 * Checks what the kernel would check, since a sandbox hides the kernel's error: an entry is a program for this system, or
 * names an interpreter in its first line, below one of the directories that the sandbox shows. Throws RunFailure
 * `spawn_failed`. `interpreterOfScript`: the interpreter of a script that a decision made the entry.
 */
export function checkProgram(firstLine: string, shown: string[], interpreterOfScript?: string): void {
  if (interpreterOfScript !== undefined) {
    checkInterpreter(interpreterOfScript, firstLine, shown);
    return;
  }
  if (firstLine.startsWith("\x7fELF")) return;
  const interpreter = /^#!\s*(\S+)/.exec(firstLine)?.[1];
  if (!interpreter) {
    throw new RunFailure(
      "spawn_failed",
      "The entry is neither a program for this system nor a script that starts with #!.",
    );
  }
  checkInterpreter(interpreter, firstLine, shown);
}

function checkInterpreter(interpreter: string, firstLine: string, shown: string[]): void {
  // Every sandbox provides it; without a sandbox this Node replaces it.
  if (interpreter === WORKER_NODE) return;
  const path = isExecutable(interpreter) ? realpathSync.native(interpreter) : null;
  if (path === null) {
    const hint = firstLine.endsWith("\r") ? "; the line ends with a carriage return" : "";
    throw new RunFailure(
      "spawn_failed",
      `The interpreter ${interpreter} named in the entry's first line does not exist on this worker${hint}.`,
    );
  }
  if (!shown.some((dir) => path.startsWith(`${dir}/`))) {
    throw new RunFailure(
      "spawn_failed",
      `The interpreter ${interpreter} is outside what the sandbox shows (${shown.join(", ")}).`,
    );
  }
}

/**
 * The absolute path of a skill's entry. Throws RunFailure `entry_missing` when there is no such file inside the skill's
 * directory (which must itself be free of symbolic links), `entry_not_executable` when it is not a regular executable; a
 * script that a decision made the entry may lack the executable bit.
 */
export function checkEntry(skillDir: string, entry: string, { isScript = false } = {}): string {
  const name = JSON.stringify(entry);
  if (entry === "") throw new RunFailure("entry_missing", "The skill names no entry.");
  const path = resolveSkillPath(skillDir, entry);
  if (path === null) throw new RunFailure("entry_missing", `The entry ${name} is outside the skill's directory.`);
  const stats = readStats(path);
  if (stats === null) throw new RunFailure("entry_missing", `The entry ${name} does not exist in the skill.`);
  if (stats.isSymbolicLink()) throw new RunFailure("entry_not_executable", `The entry ${name} is a symbolic link.`);
  if (stats.isDirectory()) throw new RunFailure("entry_not_executable", `The entry ${name} is a directory.`);
  if (isThroughLink(skillDir, path)) {
    throw new RunFailure("entry_missing", `The entry ${name} is reached through a symbolic link.`);
  }
  if (!stats.isFile() || (!isScript && (stats.mode & 0o111) === 0)) {
    throw new RunFailure("entry_not_executable", `The entry ${name} is not executable (its mode is not 755).`);
  }
  return path;
}

function isThroughLink(skillDir: string, path: string): boolean {
  const parent = dirname(path);
  if (parent.length <= skillDir.length) return false;
  return (readStats(parent)?.isSymbolicLink() ?? true) || isThroughLink(skillDir, parent);
}

function readStats(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return null;
    throw error;
  }
}

export function readFirstLine(path: string): string {
  const bytes = Buffer.alloc(256);
  const file = openSync(path, "r");
  try {
    const length = readSync(file, bytes, 0, bytes.length, 0);
    return bytes.toString("latin1", 0, length).split("\n", 1)[0] ?? "";
  } finally {
    closeSync(file);
  }
}

/**
 * The command of a script that a decision made the entry, regardless of its mode; null for an entry that its files name.
 * Throws RunFailure `spawn_failed` when the interpreter is unknown, `invalid_args` when an argument cannot be passed
 * unchanged.
 */
export function scriptCommand(
  { entry, call, args }: Pick<Lease, "entry"> & Partial<Pick<Lease, "call" | "args">>,
  entryPath: string,
): ScriptCommand | null {
  if (call === undefined) return null;
  const interpreter = scriptInterpreter(entry, readFirstLine(entryPath));
  if (interpreter === null) {
    throw new RunFailure("spawn_failed", "The interpreter of the script is unknown.");
  }
  return { interpreter, argv: inputOf(call, args ?? {}).argv };
}

export function stdinOf({ call, args, context }: Pick<Lease, "call" | "args" | "context">): string {
  const given = context === undefined ? args : { ...args, $context: context };
  return call === undefined ? JSON.stringify(given) : inputOf(call, args).stdin;
}

/** The full command of a script that a decision made the entry; null for other entries. */
export function wordsOf(script: ScriptCommand | null, path: string, node = WORKER_NODE): string[] | null {
  if (script === null) return null;
  const interpreter = script.interpreter.map((word) => (word === WORKER_NODE ? node : word));
  return [...interpreter, path, ...script.argv];
}

/** The command of an entry where nothing is mounted: the entry itself, or this Node when it asks for WORKER_NODE. */
export function entryCommand(entryPath: string, node: string): string[] {
  const isForNode = readFirstLine(entryPath).replace(/\r$/, "") === `#!${WORKER_NODE}`;
  return isForNode ? [node, entryPath] : [entryPath];
}

function inputOf(call: NonNullable<Lease["call"]>, args: Lease["args"]) {
  const built = scriptInput(call, args);
  if (built.ok) return built.input;
  const problems = built.errors.slice(0, 5).map(({ path, message }) => `${path} ${message}`.trim());
  throw new RunFailure("invalid_args", problems.join("; "));
}
