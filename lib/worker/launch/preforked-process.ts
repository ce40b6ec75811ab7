import { EventEmitter } from "node:events";
import { constants, openSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import { signalOfCode } from "../processes/read-process";
import type { EntryProcess } from "./launcher";

/** Opening must not wait for the other end, which has no reader yet. */
const { O_RDONLY, O_RDWR, O_NONBLOCK } = constants;

/** The worker's end of a pipe into a process. Only closing the descriptor ends it: a pipe has no half-close. */
class PipeInput extends Socket {
  override _final(done: (error?: Error | null) => void): void {
    done();
  }
}

/**
 * A process that a shell started with named pipes as its streams; it behaves like a child process. Outside a sandbox it has
 * no session of its own, because `setsid` is another program start, 0.5 ms (docs/decisions/025). It emits `exit` when the
 * shell has reported the exit code, `close` when its streams have ended too.
 */
export class PreforkedProcess extends EventEmitter implements EntryProcess {
  pid = 0;
  exitCode: number | null = null;
  signalCode: NodeJS.Signals | null = null;
  readonly shell: number | undefined;
  readonly stdin: Socket;
  readonly stdout: Socket;
  readonly stderr: Socket;
  readonly stdio: EntryProcess["stdio"];
  hasEndedItself = false;
  #isLost = false;
  readonly #open = new Set<Socket>();

  constructor(files: LauncherFiles, { has, shell }: { has: ShellCommand["has"]; shell: number | undefined }) {
    super();
    this.shell = shell;
    const opened: Socket[] = [];
    const keep = (socket: Socket) => {
      opened.push(socket);
      return socket;
    };
    try {
      this.stdout = keep(openReader(files.output));
      this.stderr = keep(openReader(files.errors));
      const tell = has.tell ? keep(openReader(files.tell)) : null;
      this.stdin = keep(openInput(files.input));
      const wait = has.wait ? keep(openInput(files.wait)) : null;
      this.stdio = [this.stdin, this.stdout, this.stderr, null, tell, wait];
      for (const socket of [this.stdout, this.stderr, tell]) if (socket !== null) this.#follow(socket);
    } catch (error) {
      for (const socket of opened) socket.destroy();
      throw error;
    }
  }

  #follow(socket: Socket): void {
    this.#open.add(socket);
    socket.once("close", () => {
      this.#open.delete(socket);
      this.#closeWhenOver();
    });
  }

  /** Called once with the exit code from the shell. In a sandbox a code for a signal cannot be told from the entry's own. */
  end(exitCode: number, isSandbox: boolean): void {
    this.signalCode = isSandbox ? null : signalOfCode(exitCode);
    this.exitCode = this.signalCode === null ? exitCode : null;
    this.#closeInputs();
    this.emit("exit", this.exitCode, this.signalCode);
    this.#closeWhenOver();
  }

  lose(): void {
    this.#isLost = true;
    if (this.exitCode !== null || this.signalCode !== null) return;
    this.signalCode = "SIGKILL";
    this.#closeInputs();
    this.emit("exit", null, "SIGKILL");
    this.#closeWhenOver();
  }

  destroy(): void {
    for (const stream of this.stdio) stream?.destroy();
  }

  kill(signal: NodeJS.Signals): boolean {
    if (this.pid === 0 || this.exitCode !== null || this.signalCode !== null) return false;
    try {
      return process.kill(this.pid, signal);
    } catch {
      return false;
    }
  }

  #closeInputs(): void {
    this.stdin.destroy();
    this.stdio[5]?.destroy();
  }

  #closeWhenOver(): void {
    const isOver = this.exitCode !== null || this.signalCode !== null;
    if (!isOver || this.#open.size > 0) return;
    this.hasEndedItself = !this.#isLost && [this.stdout, this.stderr].every((stream) => stream.readableEnded);
    this.emit("close", this.exitCode, this.signalCode);
  }
}

function openReader(path: string): Socket {
  return new Socket({ fd: openSync(path, O_RDONLY | O_NONBLOCK), readable: true, writable: false });
}

function openInput(path: string): Socket {
  return new PipeInput({ fd: openSync(path, O_RDWR | O_NONBLOCK), readable: false, writable: true });
}

/** Descriptor on which the shell reports; a process that it starts does not have it. */
const CONTROL = 9;

const NAMES = ["input", "output", "errors", "tell", "wait", "filter"] as const;

export type LauncherFiles = Record<(typeof NAMES)[number], string>;

export function launcherFilesIn(dir: string): LauncherFiles {
  return Object.fromEntries(NAMES.map((name) => [name, join(dir, name)])) as LauncherFiles;
}

type ShellCommand = {
  words: string[];
  env: Record<string, string>;
  cwd: string;
  files: LauncherFiles;
  /** Files it uses besides the three streams: a filter to read, a pipe to report on and one to wait on. */
  has: { filter?: boolean; tell?: boolean; wait?: boolean };
};

/**
 * The lines by which a shell starts a process and waits for it. The shell prints `p` and the process id when the streams
 * are open, and `x` and the exit code at the end. The process gets only the given environment, without the variables that
 * `cd` sets.
 */
export function shellScript({ words, env, cwd, files, has }: ShellCommand): string {
  const streams = [
    `${CONTROL}>&1`,
    `<${quote(files.input)}`,
    `>${quote(files.output)}`,
    `2>${quote(files.errors)}`,
    ...(has.filter ? [`3<${quote(files.filter)}`] : []),
    ...(has.tell ? [`4>${quote(files.tell)}`] : []),
    ...(has.wait ? [`5<${quote(files.wait)}`] : []),
  ];
  const variables = Object.entries(env).map(([name, value]) => `${name}=${quote(value)}`);
  return [
    `(exec ${streams.join(" ")}`,
    `cd -P /proc/self; self=\${PWD#/proc/}; cd ${quote(cwd)} || exit 1`,
    `echo "p $self" >&${CONTROL}; unset self PWD OLDPWD`,
    `${variables.join(" ")} exec ${words.map(quote).join(" ")} ${CONTROL}>&-)`,
    `echo "x $?"`,
    "",
  ].join("\n");
}

/** Variables that shells do not allow to be set, or only to a number. */
const OF_SHELLS = /^(_|OPTIND|LINENO|PPID|E?UID|BASHOPTS|SHELLOPTS)$/;

export function isShellName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !OF_SHELLS.test(name);
}

function quote(word: string): string {
  return /^[A-Za-z0-9_/.,:=+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
