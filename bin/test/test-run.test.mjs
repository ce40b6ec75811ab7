import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { markTestRun } from "./test-run.mjs";

it.runIf(process.platform === "linux")("ends what a run left behind, and nothing else", async () => {
  const forever = ["-e", "console.log('up'); setInterval(() => {}, 1000)"];
  const { env, endLeftovers } = markTestRun({ PATH: process.env.PATH });
  const left = spawn(process.execPath, forever, { env, detached: true });
  const other = spawn(process.execPath, forever, { env: markTestRun({}).env, detached: true });
  try {
    await Promise.all([once(left.stdout, "data"), once(other.stdout, "data")]);
    const ended = once(left, "exit");
    expect(endLeftovers()).toEqual([left.pid]);
    expect(await ended).toEqual([null, "SIGKILL"]);
    expect(other.exitCode).toBeNull();
  } finally {
    other.kill("SIGKILL");
  }
});
