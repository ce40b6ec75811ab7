import { scriptInput, scriptInterpreter, WORKER_NODE } from "@/lib/skill-format/entry/script-entry";
import type { Lease } from "@/lib/worker/protocol";

import { readFirstLine } from "./check-entry";
import { RunFailure } from "./run-failure";

/** A script's interpreter and the script's own arguments; the script's path goes between them. */
export type ScriptCommand = { interpreter: string[]; argv: string[] };

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
