import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { RecorderMessage } from "./recorder-messages";

/** A network of its own in which every address is the recorder's. */
export type Recorder = {
  /** PEM of the authority whose certificates it shows. */
  certificate: string;
  /** Path of its network namespace. */
  network: string;
  /** Everything that was reported since the last call; waits until the recorder has reported what it received. */
  collect(): Promise<Recorded>;
  close(): void;
};

type Of<K extends RecorderMessage["kind"]> = Extract<RecorderMessage, { kind: K }>;
export type Recorded = { names: Of<"name">[]; data: Of<"data">[]; beyond: number };

export type RecorderPrograms = { unshare: string; ip: string; nsenter: string };

const READY_MS = 10_000;
const MARK_MS = 3_000;
const MAX_MESSAGES = 5_000;
const MAX_LINE = 600 * 1024;

/** Makes every IPv4 and IPv6 address local, then becomes the recorder. */
const SET_UP =
  '"$0" link set lo up && "$0" route add local 0.0.0.0/0 dev lo && { "$0" -6 route add local ::/0 dev lo || :; } && exec "$@"';

/** Starts the recorder, which drops to `uid`. Throws an error that says why it is not ready. */
export async function openRecorder(options: {
  programs: RecorderPrograms;
  program: string;
  uid: number;
}): Promise<Recorder> {
  const { programs, program, uid } = options;
  const words = [
    "--net",
    "--",
    "/bin/sh",
    "-c",
    SET_UP,
    programs.ip,
    process.execPath,
    "--max-old-space-size=96",
    program,
  ];
  const child = spawn(programs.unshare, [...words, String(uid)], {
    cwd: "/",
    env: {} as NodeJS.ProcessEnv,
    stdio: ["pipe", "pipe", "ignore"],
    detached: true,
  });
  child.stdin.on("error", () => {});
  let recorded: Recorded = { names: [], data: [], beyond: 0 };
  let count = 0;
  const waiting = new Map<string, (dropped: number) => void>();
  const ready = new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("it was not ready in time")), READY_MS);
    const fail = (message: string) => {
      clearTimeout(timer);
      reject(new Error(message));
      for (const done of waiting.values()) done(1);
    };
    child.once("error", ({ message }) => fail(message));
    child.once("exit", () => fail("it ended"));
    createInterface({ input: child.stdout }).on("line", (line) => {
      const message = readMessage(line);
      if (message === null) recorded.beyond += 1;
      else if (message.kind === "ready") {
        clearTimeout(timer);
        resolve(message.certificate);
      } else if (message.kind === "mark") waiting.get(message.mark)?.(message.dropped);
      else if (recorded.names.length + recorded.data.length >= MAX_MESSAGES) recorded.beyond += 1;
      else if (message.kind === "name") recorded.names.push(message);
      else recorded.data.push(message);
    });
  });
  const close = () => {
    child.stdin.end();
    child.kill("SIGKILL");
  };
  try {
    const certificate = await ready;
    return {
      certificate,
      network: `/proc/${child.pid}/ns/net`,
      async collect() {
        count += 1;
        const mark = String(count);
        // Without its answer, what else it received is unknown.
        const dropped = await new Promise<number>((resolve) => {
          const timer = setTimeout(() => resolve(1), MARK_MS);
          waiting.set(mark, (count) => {
            clearTimeout(timer);
            resolve(count);
          });
          if (child.exitCode === null && child.signalCode === null) child.stdin.write(`${mark}\n`);
          else waiting.get(mark)?.(1);
        });
        waiting.delete(mark);
        const all = { ...recorded, beyond: recorded.beyond + dropped };
        recorded = { names: [], data: [], beyond: 0 };
        return all;
      },
      close,
    };
  } catch (cause) {
    close();
    throw new Error(`The recorder of the network could not be started: ${(cause as Error).message}.`, { cause });
  }
}

function readMessage(line: string): RecorderMessage | null {
  if (line.length > MAX_LINE) return null;
  try {
    return RecorderMessage.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}
