import { existsSync } from "node:fs";
import { text } from "node:stream/consumers";
import { BuiltinError, type BuiltinIo } from "./builtin";
import { PROGRAM_DIRS } from "./run-program";

/** Upper limit for every built-in; each has its own, smaller limit. */
const MAX_RESULT_BYTES = 1024 * 1024;
const SANDBOX_NODE = "/skillgate/node";

type Program = {
  execute: (args: never, io: BuiltinIo) => Promise<unknown>;
  defaults: Record<string, unknown>;
  /** Directories that the release grants; without a sandbox the built-in enforces them itself. */
  paths: string[];
};

/** The main program of every built-in: JSON on stdin; one JSON value on stdout, or a sentence on stderr and exit code 1. */
export async function runBuiltin(program: Program): Promise<void> {
  try {
    const { $context: context = null, ...args } = JSON.parse((await text(process.stdin)).trim() || "{}");
    const result = await answerOf(program, { ...program.defaults, ...args } as never, {
      env: process.env,
      programDirs: PROGRAM_DIRS,
      roots: existsSync(SANDBOX_NODE) ? null : program.paths,
      workspace: process.env.WORKSPACE ?? "/workspace",
      context,
    });
    process.stdout.write(encodeResult(result));
  } catch (failure) {
    process.stderr.write(`${sentenceOf(failure)}\n`);
    process.exitCode = 1;
  }
}

/** The answer of a built-in. A refused address is an answer too: `error` with its code. */
export async function answerOf<Args>(
  { execute }: { execute: (args: Args, io: BuiltinIo) => Promise<unknown> },
  args: Args,
  io: BuiltinIo,
): Promise<unknown> {
  try {
    return await execute(args, io);
  } catch (failure) {
    // Recognised by its code: importing the class would bundle the policy into every built-in.
    const { code, message } = failure as NodeJS.ErrnoException;
    if (code !== "address_not_allowed") throw failure;
    return { error: { code, message } };
  }
}

/** Throws BuiltinError for a result beyond 1 MiB. */
export function encodeResult(result: unknown): string {
  const json = JSON.stringify(result);
  if (Buffer.byteLength(json) <= MAX_RESULT_BYTES) return json;
  throw new BuiltinError("The result is larger than 1 MiB; ask for less.");
}

function sentenceOf(failure: unknown): string {
  if (failure instanceof BuiltinError) return failure.message;
  return failure instanceof Error ? `It failed: ${failure.message}` : `It failed: ${String(failure)}`;
}
