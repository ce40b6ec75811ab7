import { EventEmitter } from "node:events";
import { constants, openSync } from "node:fs";
import { Socket } from "node:net";
import { signalOfCode } from "../processes/read-process";
import type { EntryProcess } from "./launcher";
import type { LauncherFiles, ShellCommand } from "./preforked-launcher";

/** Nobody reads from the other end yet, and opening must not wait for that. */
const { O_RDONLY, O_RDWR, O_NONBLOCK } = constants;

/** The worker's end of a pipe into a process. Closing the descriptor is all that ends it: there is no half to shut. */
class PipeInput extends Socket {
  override _final(done: (error?: Error | null) => void): void {
    done();
  }
}

/**
 * A process that a shell started with named pipes for its streams, in the manner of a child process: `exit` when the shell
 * has said how it ended, `close` when its streams have ended too.
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
  /** All it wrote was read to its end. */
  hasEndedItself = false;
  #isLost = false;
  readonly #open = new Set<Socket>();

  /** Throws when a pipe cannot be opened. */
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

  /** Called once, with what the shell said, which tells of a signal as bubblewrap does: it cannot be told from such a code. */
  end(exitCode: number, isSandbox: boolean): void {
    this.signalCode = isSandbox ? null : signalOfCode(exitCode);
    this.exitCode = this.signalCode === null ? exitCode : null;
    this.#closeInputs();
    this.emit("exit", this.exitCode, this.signalCode);
    this.#closeWhenOver();
  }

  /** The shell is gone, and whatever it started went with it; what that wrote last may not be read yet. */
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
