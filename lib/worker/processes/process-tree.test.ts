import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { makeWorkDir } from "../testing/make-work-dir";
import { waitUntil } from "../testing/wait-until";
import { findTree } from "./process-tree";

async function startIn(directory: string, program = "/bin/sleep", args = ["60"]): Promise<ChildProcess> {
  const child = spawn(program, args, { cwd: directory, env: {} as NodeJS.ProcessEnv, stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child, "spawn");
  return child;
}

it("finds what was started in the directory of a run, and nothing that a sweep saw before the run", async () => {
  const [directory, startedMs] = [makeWorkDir(), performance.now()];
  const before = await startIn(directory);
  const ofRun = (beganMs: number) => findTree({ leader: null, directory, startedMs: beganMs });
  expect(ofRun(startedMs)).toEqual([before.pid]);
  const laterMs = await waitUntil("two sweeps without a pause between", () => {
    const nowMs = performance.now();
    return ofRun(nowMs).length === 0 && nowMs;
  });
  const after = await startIn(directory);
  expect(ofRun(laterMs)).toEqual([after.pid]);
  expect(ofRun(startedMs).sort()).toEqual([before.pid, after.pid].sort());
});

it("finds what began after a process without a list of all, its threads not counted, and nothing that has ended", async () => {
  const [directory, startedMs] = [makeWorkDir(), performance.now()];
  const leader = await startIn(directory, "/bin/true");
  await waitUntil("its end", () => leader.exitCode !== null);
  const threads = ["-e", "setInterval(() => {}, 1000)"];
  const after = await startIn(directory, process.execPath, threads);
  const found = () => findTree({ leader: leader.pid as number, directory, startedMs });
  await waitUntil("its threads", () => readdirSync(`/proc/${after.pid}/task`).length > 3);
  expect(found()).toEqual([after.pid]);
  after.kill("SIGKILL");
  await waitUntil("the end of it", () => after.signalCode !== null);
  expect(found()).toEqual([]);
});
