import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it, onTestFinished } from "vitest";
import { findTree } from "./find-tree";
import { makeWorkDir } from "./testing/make-work-dir";
import { waitUntil } from "./testing/wait-until";

async function startIn(directory: string): Promise<ChildProcess> {
  const child = spawn("/bin/sleep", ["60"], { cwd: directory, env: {} as NodeJS.ProcessEnv, stdio: "ignore" });
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
