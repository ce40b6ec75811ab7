/** The interpreter that is always there: the worker's own Node, mounted in every sandbox. */
export const WORKER_NODE = "/skillgate/node";

const ENV = "/usr/bin/env";
const BY_ENDING: [ending: RegExp, command: string[]][] = [
  [/\.py$/i, [ENV, "python3"]],
  [/\.(js|mjs|cjs)$/i, [WORKER_NODE]],
  [/\.sh$/i, ["/bin/sh"]],
  [/\.bash$/i, [ENV, "bash"]],
];

/**
 * The command that a script is started with, before its path: what its first line names, as the kernel reads it, else the
 * interpreter for its ending. Empty for a program of its own. Null when nothing says how it is started.
 */
export function scriptInterpreter(path: string, firstLine: string): string[] | null {
  if (firstLine.startsWith("\x7fELF")) return [];
  const line = /^(?:\xef\xbb\xbf|\ufeff)?#![ \t]*(\S+)(?:[ \t]+(.*?))?[ \t\r]*$/.exec(
    firstLine.split("\n", 1)[0] ?? "",
  );
  const [, program = "", rest = ""] = line ?? [];
  if (!program.startsWith("/")) return BY_ENDING.find(([ending]) => ending.test(path))?.[1] ?? null;
  const isEnv = /^(\/usr)?\/bin\/env$/.test(program);
  // A Node of whatever place is the one that is always there; the host may have none.
  if (isEnv && rest === "node") return [WORKER_NODE];
  const words = isEnv && rest.startsWith("-S") ? ["-S", rest.slice(2).trim()] : rest === "" ? [] : [rest];
  return [program, ...words];
}
