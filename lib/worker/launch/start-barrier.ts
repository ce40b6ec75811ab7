import { posix } from "node:path";
import type { Readable, Writable } from "node:stream";
import type { EntryProcess, StartBarrier } from "./launcher";

/*
 * Where a prewarmed process waits: as late as no line of the skill has run. Loading `json` before takes a fifth off a Python run,
 * and a shell that reads a `#!/bin/sh` entry itself saves the half millisecond of another start (docs/decisions/015).
 */

/**
 * What `python3 -c` waits in, with the entry's path as its only argument. It stops before the entry is opened, and then
 * runs it as the interpreter itself would: as `__main__`, with its own argv, path, loader and nothing else in its globals.
 * Before, it loads what reads the arguments of a run, unless the skill has a module of its own by the name of one of the
 * library's. An exception is shown without the frame of this program. It ends unreleased when the descriptor is closed.
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

/** Descriptors on which a sandbox tells that it is built, and on which it waits for the end of a line when it has no run yet. */
export const BARRIER_DESCRIPTORS = { tell: 4, wait: 5 };

/**
 * How a process waits for its run. `interpreter`: inside its interpreter, which is loaded; `shell`: in the shell that
 * would start the entry.
 */
export type BarrierCommand =
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
export function barrierCommand(firstLine: string, entry: string, env: Record<string, string>): BarrierCommand {
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
    return { where: "interpreter", kind: "python", command: [...start, ...flags, "-c", PYTHON_BARRIER, entry] };
  }
  if (name === "node" && flags.every((flag) => NODE_FLAG.test(flag))) {
    return { where: "interpreter", kind: "node", command: [...start, ...flags, "--require", NODE_BARRIER_PATH, entry] };
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

/** Where a waiting sandbox shows NODE_BARRIER. */
export const NODE_BARRIER_PATH = "/skillgate/gate.cjs";

/**
 * What node preloads with `--require`, and waits in before it opens the entry, which it then starts by itself as it
 * always does. It takes itself out of what the entry can see. Threads of the entry preload it
 * again, and do not wait.
 * It ends unreleased when the descriptor is closed.
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

/** The worker's side of a sandbox's start barrier, for a child that was started with one. `onOpen` is called when it is let go. */
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
  // A process that ends before it is let go on closes its side.
  for (const stream of [tells, waits]) stream?.on("error", () => {});
  const open = () => {
    waits?.end("\n");
    onOpen();
  };
  return { notifiedMs: () => notifiedMs, notified, open };
}
