import { scriptInput, scriptInterpreter, WORKER_NODE } from "@/lib/skill-format/entry/script-entry";
import type { Lease } from "@/lib/worker/protocol";

import { readFirstLine } from "./check-entry";
import { RunFailure } from "./run-failure";

/** A script's interpreter and its own arguments; between them goes its path, wherever the run has it. */
export type ScriptCommand = { interpreter: string[]; argv: string[] };

/**
 * How a script is started that a decision made the entry, whatever its mode; null for an entry that its files name. Throws
 * RunFailure `spawn_failed` when nothing says what starts it, `invalid_args` when an argument cannot be handed over whole.
 */
export function scriptCommand(
  { entry, call, args }: Pick<Lease, "entry"> & Partial<Pick<Lease, "call" | "args">>,
  entryPath: string,
): ScriptCommand | null {
  if (call === undefined) return null;
  const interpreter = scriptInterpreter(entry, readFirstLine(entryPath));
  if (interpreter === null) {
    throw new RunFailure("spawn_failed", "Nothing says which interpreter starts the script.");
  }
  return { interpreter, argv: inputOf(call, args ?? {}).argv };
}

/** What goes to the standard input of a lease's entry. */
export function stdinOf({ call, args, context }: Pick<Lease, "call" | "args" | "context">): string {
  const given = context === undefined ? args : { ...args, $context: context };
  return call === undefined ? JSON.stringify(given) : inputOf(call, args).stdin;
}

/** The words that start an entry: what the kernel reads from its first line, unless it is a script of a decision. */
export function wordsOf(script: ScriptCommand | null, path: string, node = WORKER_NODE): string[] | null {
  if (script === null) return null;
  const interpreter = script.interpreter.map((word) => (word === WORKER_NODE ? node : word));
  return [...interpreter, path, ...script.argv];
}

/** How an entry is started where nothing is mounted: by itself, or with this Node when it asks for WORKER_NODE. */
export function entryCommand(entryPath: string, node: string): string[] {
  const isForNode = readFirstLine(entryPath).replace(/\r$/, "") === `#!${WORKER_NODE}`;
  return isForNode ? [node, entryPath] : [entryPath];
}

function inputOf(call: NonNullable<Lease["call"]>, args: Lease["args"]) {
  const built = scriptInput(call, args);
  if (built.ok) return built.input;
  const said = built.errors.slice(0, 5).map(({ path, message }) => `${path} ${message}`.trim());
  throw new RunFailure("invalid_args", said.join("; "));
}
