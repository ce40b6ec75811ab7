import { expect, test } from "vitest";
import { openThread } from "./open-thread";

const program = (onMessage: string, version = "1") => ({
  source: `const { parentPort } = require("node:worker_threads");
    parentPort.on("message", ({ id, job }) => { ${onMessage} });
    parentPort.postMessage({ type: "ready", version: "${version}" });`,
  ...{ version: "1", name: "work", heapMb: 32, build: "node bin/build-work.mjs" },
});
const PATIENCE = { afterMs: 30_000 };

test("a job is answered, and so is the next one", async () => {
  const thread = await openThread<number, number>(
    program(`parentPort.postMessage({ type: "done", id, result: job + 1 })`),
  );
  expect(await thread.run(1, PATIENCE)).toEqual({ result: 2 });
  expect(await thread.run(2, PATIENCE)).toEqual({ result: 3 });
  await thread.close();
  expect(thread.isOpen()).toBe(false);
});

test.each([
  ["exits", "process.exit(3)", "The work ended without a result."],
  ["throws", `setImmediate(() => { throw new Error("no") })`, "The work failed: no"],
  ["reports a failure", `parentPort.postMessage({ type: "failed", id, message: "no" })`, "The work failed: no"],
  ["uses too much memory", "const all = []; for (;;) all.push([1, 2, 3])", expect.stringContaining("memory")],
])("a thread that %s ends its job with the part under way", async (_name, code, why) => {
  const report = `parentPort.postMessage({ type: "at", id, part: "a.sh" });`;
  const thread = await openThread<null, null>(program(`${report} setImmediate(() => { ${code} })`));
  expect(await thread.run(null, PATIENCE)).toEqual({ at: "a.sh", why });
  await thread.close();
});

test("a thread that never answers is ended after its time", async () => {
  const thread = await openThread<null, null>(program("for (;;) {}"));
  expect(await thread.run(null, { afterMs: 1 })).toEqual({ at: null, why: "The work was ended after 1 ms." });
});

test("a cancelled job rejects with the reason", async () => {
  const thread = await openThread<null, null>(program(""));
  const stop = new AbortController();
  const running = thread.run(null, { ...PATIENCE, signal: stop.signal });
  stop.abort(new Error("not needed any more"));
  await expect(running).rejects.toThrow("not needed any more");
});

test("a program of other sources is refused, with the command that builds it", async () => {
  await expect(openThread(program("", "2"))).rejects.toThrow("Run node bin/build-work.mjs");
});
