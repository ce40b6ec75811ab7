import { posix } from "node:path";
import type { Readable, Writable } from "node:stream";
import type { EntryProcess, StartBarrier } from "./launcher";

/*
 * A prewarmed process waits as late as possible before the first line of the skill. Loading `json` in advance saves a fifth
 * of a Python run, and a shell that reads a `#!/bin/sh` entry itself saves 0.5 ms for another start (docs/decisions/015).
 */

/**
 * The program that `python3 -c` waits in, with the entry's path as its only argument. It stops before it opens the entry, and
 * then runs it as the interpreter would: as `__main__`, with its own argv, path and loader, and nothing else in its globals.
 * It loads `json` in advance, unless the skill has a module with the name of a standard one. Tracebacks do not show the frame
 * of this program. It exits when the descriptor is closed before the release.
 */
const PYTHON_BARRIER = `
def _skillgate(scope):
    import posix, sys
    path = sys.argv.pop()
    folder = path.rpartition("/")[0]
    first = sys.path[:1] == [""]
    if first:
        del sys.path[0]
    library = getattr(sys, "stdlib_module_names", None)
    if library and not any(name.partition(".")[0] in library for name in posix.listdir(folder)):
        import json
    posix.write(4, b"\\n")
    if posix.read(5, 1) == b"":
        posix._exit(1)
    posix.closerange(4, 6)
    sys.argv[:] = [path]
    if hasattr(sys, "orig_argv"):
        sys.orig_argv[-3:] = [path]
    if first:
        sys.path.insert(0, folder)
    loader = sys.modules["_frozen_importlib_external"].SourceFileLoader("__main__", path)
    scope["__file__"] = path
    scope["__loader__"] = loader
    if sys.version_info < (3, 15):
        scope["__cached__"] = None
    del scope["_skillgate"]
    return loader.get_data(path), path, "exec", 0, True

try:
    exec(compile(*_skillgate(globals())))
except SystemExit:
    raise
except BaseException as _skillgate:
    import sys as _skillgate_sys
    _skillgate_trace = _skillgate.__traceback__.tb_next
    _skillgate = _skillgate.with_traceback(_skillgate_trace)
    _skillgate_sys.last_type, _skillgate_sys.last_value = type(_skillgate), _skillgate
    _skillgate_sys.last_traceback = _skillgate_trace
    if _skillgate_sys.version_info >= (3, 12):
        _skillgate_sys.last_exc = _skillgate
    _skillgate_sys.excepthook(type(_skillgate), _skillgate, _skillgate_trace)
    if isinstance(_skillgate, KeyboardInterrupt):
        _skillgate_sys.excepthook = lambda *_: None
        raise
    raise SystemExit(1) from None
`;

/** Descriptors on which a sandbox reports that it is built, and on which a prewarmed one waits for the end of a line. */
export const BARRIER_DESCRIPTORS = { tell: 4, wait: 5 };

/** Where a process waits: inside its interpreter, which is loaded, or in the shell that would start the entry. */
export type BarrierCommand =
  | { where: "interpreter"; kind: "python" | "node"; command: string[] }
  | { where: "shell"; kind: "program" };

const PYTHON = /^python3(\.\d+)?$/;
/** Flags of python3 that change how the interpreter starts, not the program it runs. */
const PYTHON_FLAG = /^-[bBdEIOPqsSuv]+$/;
const NODE_FLAG = /^--(no-warnings|no-deprecation|enable-source-maps|max-old-space-size=\d+|stack-size=\d+)$/;

/** Variables that make an interpreter load a file of the skill at its start, which is before the run. */
const LOADING = /^(PYTHON|NODE|OPENSSL|GCONV|ICU)/;

/**
 * Where a process waits whose entry begins with this line. The interpreter is started by its own name and with its flags,
 * as the kernel would; with anything unusual in the line or in the environment, the process waits in the shell.
 */
export function barrierCommand(firstLine: string, entry: string, env: Record<string, string>): BarrierCommand {
  if (Object.keys(env).some((name) => LOADING.test(name))) return { where: "shell", kind: "program" };
  const line = /^#![ \t]*(\S+)(?:[ \t]+(.*?))?[ \t]*$/.exec(firstLine);
  const [, interpreter = "", rest = ""] = line ?? [];
  const isEnv = /^(\/usr)?\/bin\/env$/.test(interpreter);
  const words = rest === "" ? [] : rest.split(/[ \t]+/);
  const isSplit = isEnv && words[0] === "-S";
  if (words.length > 1 && !isSplit) return { where: "shell", kind: "program" };
  const named = isSplit ? words.slice(1) : words;
  const [program = "", ...flags] = isEnv ? named : [interpreter, ...named];
  const start = isEnv ? [interpreter, program] : [program];
  // env must find a program of the host, not a file of the skill with the same name.
  const isHosts = isEnv ? !/[/=]/.test(program) && isHostPath(env.PATH) : program.startsWith("/");
  if (!isHosts) return { where: "shell", kind: "program" };
  const name = program.slice(program.lastIndexOf("/") + 1);
  if (PYTHON.test(name) && flags.every((flag) => PYTHON_FLAG.test(flag))) {
    return { where: "interpreter", kind: "python", command: [...start, ...flags, "-c", PYTHON_BARRIER, entry] };
  }
  if (name === "node" && flags.every((flag) => NODE_FLAG.test(flag))) {
    return { where: "interpreter", kind: "node", command: [...start, ...flags, "--require", NODE_BARRIER_PATH, entry] };
  }
  return { where: "shell", kind: "program" };
}

const NOT_HOSTS = /^\/(skill|tmp|dev|proc|run|workspace)(\/|$)/;

function isHostPath(path: string | undefined): boolean {
  const isHosts = (dir: string) => dir.startsWith("/") && !NOT_HOSTS.test(posix.normalize(dir));
  return path === undefined || path.split(":").every(isHosts);
}

export const NODE_BARRIER_PATH = "/skillgate/start-barrier.cjs";

/**
 * The program that node preloads with `--require`: it waits before node opens the entry, and then removes its traces.
 * Threads of the entry preload it too, but do not wait. It exits when the descriptor is closed before the release.
 */
export const NODE_BARRIER = `"use strict";
if (require("node:worker_threads").isMainThread) {
  const fs = require("node:fs");
  fs.writeSync(4, "\\n");
  if (fs.readSync(5, Buffer.alloc(1), 0, 1, null) === 0) process.reallyExit(1);
  fs.closeSync(4);
  fs.closeSync(5);
}
if (process.execArgv.at(-1) === __filename) process.execArgv.splice(-2);
if (Array.isArray(process._preload_modules)) process._preload_modules.length = 0;
delete require.cache[__filename];
`;

/** The worker's side of the start barrier, for a child that was started with one. `onOpen` is called when it opens. */
export function listenAtBarrier(child: EntryProcess, onOpen: () => void = () => {}): StartBarrier {
  const tells = child.stdio[BARRIER_DESCRIPTORS.tell] as Readable;
  const waits = (child.stdio[BARRIER_DESCRIPTORS.wait] ?? null) as Writable | null;
  let notifiedMs: number | null = null;
  const notified = new Promise<void>((resolve) => {
    tells.once("data", () => {
      notifiedMs = performance.now();
      resolve();
    });
    tells.once("close", resolve);
  });
  for (const stream of [tells, waits]) stream?.on("error", () => {});
  const open = () => {
    waits?.end("\n");
    onOpen();
  };
  return { notifiedMs: () => notifiedMs, notified, open };
}
