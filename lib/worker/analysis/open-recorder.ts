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
export type Recorded = {
  names: Of<"name">[];
  data: Of<"data">[];
  beyond: number;
  /** Datagrams to ports that the recorder does not serve. */
  unserved: number;
};

/** What is recorded without a recorder. */
export const NOTHING_RECORDED: Recorded = { names: [], data: [], beyond: 0, unserved: 0 };

export type RecorderPrograms = { unshare: string; ip: string; nsenter: string };

const READY_MS = 10_000;
const MARK_MS = 3_000;
/** Of each kind, so that many questions for names do not keep out what is sent. */
const MAX_MESSAGES = 5_000;
const MAX_LINE = 600 * 1024;

type Counts = Pick<Of<"mark">, "dropped" | "unserved">;
/** Without an answer of the recorder, what else it received is unknown. */
const UNKNOWN: Counts = { dropped: 1, unserved: 0 };

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
  const begin = (): Recorded => ({ ...NOTHING_RECORDED, names: [], data: [] });
  let recorded = begin();
  let count = 0;
  const waiting = new Map<string, (counts: Counts) => void>();
  const ready = new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("it was not ready in time")), READY_MS);
    const fail = (message: string) => {
      clearTimeout(timer);
      reject(new Error(message));
      for (const done of waiting.values()) done(UNKNOWN);
    };
    child.once("error", ({ message }) => fail(message));
    child.once("exit", () => fail("it ended"));
    createInterface({ input: child.stdout }).on("line", (line) => {
      const message = readMessage(line);
      if (message === null) recorded.beyond += 1;
      else if (message.kind === "ready") {
        clearTimeout(timer);
        resolve(message.certificate);
      } else if (message.kind === "mark") waiting.get(message.mark)?.(message);
      else {
        const list: RecorderMessage[] = message.kind === "name" ? recorded.names : recorded.data;
        if (list.length < MAX_MESSAGES) list.push(message);
        else recorded.beyond += 1;
      }
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
        const { dropped, unserved } = await new Promise<Counts>((resolve) => {
          const timer = setTimeout(() => resolve(UNKNOWN), MARK_MS);
          waiting.set(mark, (counts) => {
            clearTimeout(timer);
            resolve(counts);
          });
          if (child.exitCode === null && child.signalCode === null) child.stdin.write(`${mark}\n`);
          else waiting.get(mark)?.(UNKNOWN);
        });
        waiting.delete(mark);
        const all = { ...recorded, beyond: recorded.beyond + dropped, unserved };
        recorded = begin();
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
