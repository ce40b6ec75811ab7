import { posix } from "node:path";
import { NODE_GATE_PATH } from "./node-gate";
import { PYTHON_GATE } from "./python-gate";

/** Descriptors on which a sandbox tells that it is built, and on which it waits for the end of a line when it has no run yet. */
export const GATE_DESCRIPTORS = { tell: 4, wait: 5 };

/**
 * How a process waits for its run. `interpreter`: inside its interpreter, which is loaded; `shell`: in the shell that
 * would start the entry.
 */
export type GateCommand =
  | { where: "interpreter"; kind: "python" | "node"; command: string[] }
  | { where: "shell"; kind: "program" };

const PYTHON = /^python3(\.\d+)?$/;
/** Single letters of python3 that change how the interpreter starts, not what it runs. */
const PYTHON_FLAG = /^-[bBdEIOPqsSuv]+$/;
const NODE_FLAG = /^--(no-warnings|no-deprecation|enable-source-maps|max-old-space-size=\d+|stack-size=\d+)$/;

/** Variables by which an interpreter may load a file of the skill while it starts, which is before its run. */
const LOADING = /^(PYTHON|NODE|OPENSSL|GCONV|ICU)/;

/**
 * Where a process waits whose entry begins with this line. Started by the interpreter's own name and with its flags, as
 * the kernel would; anything unusual in the line or in the run's environment waits in the shell, where every entry can.
 */
export function gateCommand(firstLine: string, entry: string, env: Record<string, string>): GateCommand {
  if (Object.keys(env).some((name) => LOADING.test(name))) return { where: "shell", kind: "program" };
  const line = /^#![ \t]*(\S+)(?:[ \t]+(.*?))?[ \t]*$/.exec(firstLine);
  const [, interpreter = "", rest = ""] = line ?? [];
  const isEnv = /^(\/usr)?\/bin\/env$/.test(interpreter);
  const words = rest === "" ? [] : rest.split(/[ \t]+/);
  const isSplit = isEnv && words[0] === "-S";
  // The kernel hands over everything behind the interpreter as one word.
  if (words.length > 1 && !isSplit) return { where: "shell", kind: "program" };
  const named = isSplit ? words.slice(1) : words;
  const [program = "", ...flags] = isEnv ? named : [interpreter, ...named];
  const start = isEnv ? [interpreter, program] : [program];
  // What env finds must be a program of the host, and not a file of the skill that is called like one.
  const isHosts = isEnv ? !/[/=]/.test(program) && isHostPath(env.PATH) : program.startsWith("/");
  if (!isHosts) return { where: "shell", kind: "program" };
  const name = program.slice(program.lastIndexOf("/") + 1);
  if (PYTHON.test(name) && flags.every((flag) => PYTHON_FLAG.test(flag))) {
    return { where: "interpreter", kind: "python", command: [...start, ...flags, "-c", PYTHON_GATE, entry] };
  }
  if (name === "node" && flags.every((flag) => NODE_FLAG.test(flag))) {
    return { where: "interpreter", kind: "node", command: [...start, ...flags, "--require", NODE_GATE_PATH, entry] };
  }
  return { where: "shell", kind: "program" };
}

/** Where a sandbox shows something that is not the host's own programs. */
const NOT_HOSTS = /^\/(skill|tmp|dev|proc|run|workspace)(\/|$)/;

/** Without a PATH the system's own directories are searched. What no sandbox shows cannot be found either. */
function isHostPath(path: string | undefined): boolean {
  const isHosts = (dir: string) => dir.startsWith("/") && !NOT_HOSTS.test(posix.normalize(dir));
  return path === undefined || path.split(":").every(isHosts);
}
