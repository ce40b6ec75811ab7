import { readFileSync } from "node:fs";
import { expect, it, vi } from "vitest";
import { runCommand } from "./run-command.mjs";

it("resolves with the exit code and everything that was printed", async () => {
  const script = "console.log('out'); console.error('err'); process.exitCode = 3";
  const { code, output } = await runCommand(process.execPath, ["-e", script]);
  expect(code).toBe(3);
  expect(output).toContain("out\n");
  expect(output).toContain("err\n");
});

it("does not wait for what the command left running, but ends it", async () => {
  const { code, output } = await runCommand("/bin/sh", ["-c", "sleep 60 & echo $!"]);
  expect(code).toBe(0);
  await vi.waitFor(() => expect(isAlive(Number(output))).toBe(false));
});

it("rejects when there is no such program", async () => {
  await expect(runCommand("no-such-program-here", [])).rejects.toThrow("ENOENT");
});

function isAlive(pid) {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
