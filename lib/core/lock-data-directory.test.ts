import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { acquireDataDirectory, DataDirectoryInUse, lockDataDirectory } from "./lock-data-directory";

const folder = mkdtempSync(join(tmpdir(), "skillgate-lock-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A clock that advances with each pause; `during` holds what happens in the pause of that number. */
function clock(during: Record<number, () => void> = {}) {
  let [now, pauses] = [0, 0];
  const pause = async (ms: number) => {
    now += ms;
    pauses += 1;
    during[pauses]?.();
  };
  return { now: () => now, pause, passed: () => now };
}

test("a folder that is free is taken without a pause", async () => {
  const { passed, ...time } = clock();
  const lock = await acquireDataDirectory(folder, { patienceMs: 12_000, ...time });
  expect(passed()).toBe(0);
  lock.close();
});

test("a former process that is about to end is waited for", async () => {
  const former = lockDataDirectory(folder);
  const { passed, ...time } = clock({ 3: () => former.close() });
  const lock = await acquireDataDirectory(folder, { patienceMs: 12_000, ...time });
  expect(passed()).toBeLessThan(12_000);
  expect(() => lockDataDirectory(folder)).toThrow(DataDirectoryInUse);
  lock.close();
});

test("a process that stays is waited for as long as was said, and then named as the reason", async () => {
  const other = lockDataDirectory(folder);
  const { passed, ...time } = clock();
  await expect(acquireDataDirectory(folder, { patienceMs: 12_000, ...time })).rejects.toThrow(DataDirectoryInUse);
  await expect(acquireDataDirectory(folder, { patienceMs: 0, ...time })).rejects.toThrow(
    `Another Skillgate already runs on ${folder}.`,
  );
  expect(passed()).toBe(12_000);
  other.close();
});
