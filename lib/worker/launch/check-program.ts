import { realpathSync } from "node:fs";
import { isExecutable } from "@/lib/core/find-program";
import { RunFailure } from "./run-failure";
import { SANDBOX_NODE } from "./spawn-entry";

/**
 * Looks at what the kernel would look at, since inside a sandbox its answer is lost: an entry is a program for this system
 * or names an interpreter in its first line, which must be below one of the directories that the sandbox shows. Throws
 * RunFailure `spawn_failed`. `interpreterOfScript`: what a script is started with that a decision made the entry.
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
  // What every sandbox has, and what an entry is started with where there is none.
  if (interpreter === SANDBOX_NODE) return;
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
