import { expect, it } from "vitest";
import { runSteps } from "./run-steps.mjs";

const pass = { name: "fine", run: async () => ({ ok: true, output: "chatter" }) };
const fail = { name: "broken", run: async () => ({ ok: false, output: "line 3 is wrong\n" }) };
const crash = { name: "crashed", run: () => Promise.reject(new Error("no such tool")) };

it("goes on after a failure and counts each step once", async () => {
  const lines = [];
  const counts = await runSteps([fail, crash, pass], { print: (line) => lines.push(line) });
  expect(counts).toEqual({ passed: 1, failed: 2, skipped: 0, failures: ["broken", "crashed"] });
  const text = lines.join("\n");
  expect(text).toMatch(/✓ fine: ok \(\d+\.\d s\)/);
  expect(text).toContain("    line 3 is wrong");
  expect(text).toContain("no such tool");
  expect(text).not.toContain("chatter");
});

it("runs no more steps at once than allowed", async () => {
  let running = 0;
  let most = 0;
  const run = async () => {
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    running--;
    return { ok: true, output: "" };
  };
  await runSteps(
    Array.from({ length: 6 }, (_, i) => ({ name: `step ${i}`, run })),
    { concurrency: 2, print: () => {} },
  );
  expect(most).toBe(2);
});
