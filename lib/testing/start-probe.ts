import { spawn, spawnSync } from "node:child_process";
import { appendFileSync, chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

export type Probe = {
  /** Named pipe for lines; also runs with read-only access can write to it. */
  pipe: string;
  read(): Promise<string[]>;
  stop(): void;
};

const END = "the end";

/** Records each line that is written to a pipe in `folder`, in a process that outlives this one's servers. */
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
      // Lines arrive in order, so all earlier ones are recorded once this marker is.
      const before = ends();
      appendFileSync(pipe, `${END}\n`);
      while (ends() === before) await pause(20);
      return lines().filter((line) => line !== END);
    },
    stop: () => void writer.kill("SIGKILL"),
  };
}
