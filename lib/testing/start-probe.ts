import { spawn, spawnSync } from "node:child_process";
import { appendFileSync, chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

export type Probe = {
  /** Where lines are told. A run that only reads may still write to it. */
  pipe: string;
  /** Every line told until now, in order. */
  read(): Promise<string[]>;
  stop(): void;
};

const END = "the end";

/** Writes down each line that is told to a pipe in `folder`, whatever becomes of this process's servers meanwhile. */
export function startProbe(folder: string): Probe {
  const [pipe, file] = [join(folder, "pipe"), join(folder, "told")];
  spawnSync("mkfifo", [pipe]);
  chmodSync(pipe, 0o666);
  writeFileSync(file, "");
  const writer = spawn("/bin/sh", ["-c", 'exec 3<>"$0"; exec cat <&3 >>"$1"', pipe, file], { stdio: "ignore" });
  const lines = () => readFileSync(file, "utf8").split("\n").filter(Boolean);
  const ends = () => lines().filter((line) => line === END).length;
  return {
    pipe,
    read: async () => {
      // What is told is written down a moment later, in order: once this is there, all of it is.
      const before = ends();
      appendFileSync(pipe, `${END}\n`);
      while (ends() === before) await pause(20);
      return lines().filter((line) => line !== END);
    },
    stop: () => void writer.kill("SIGKILL"),
  };
}
