import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { withPrepareLock } from "./prepare-lock.mjs";

let folder;
let lock;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "skillgate-lock-"));
  lock = path.join(folder, "prepare.lock");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("holds the lock during the work and gives it back, also after a failure", async () => {
  await withPrepareLock(folder, async () => expect(existsSync(lock)).toBe(true));
  await expect(withPrepareLock(folder, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(existsSync(lock)).toBe(false);
});

it("takes over from a process that died", async () => {
  const { pid } = spawnSync(process.execPath, ["-e", ""]);
  writeFileSync(lock, String(pid));
  expect(await withPrepareLock(folder, async () => "done")).toBe("done");
});

it("waits for a process that lives, and says so once", async () => {
  writeFileSync(lock, String(process.ppid));
  const tell = vi.fn();
  const work = withPrepareLock(folder, async () => "done", tell);
  await vi.waitFor(() => expect(tell).toHaveBeenCalledTimes(1));
  expect(tell.mock.calls[0][0]).toContain(`process ${process.ppid}`);
  rmSync(lock);
  expect(await work).toBe("done");
});
