import { chmodSync, existsSync, readdirSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, test } from "vitest";
import { makeLease } from "../testing/make-lease";
import { makeWorkDir } from "../testing/make-work-dir";
import { waitUntil } from "../testing/wait-until";
import { createRunDir, createRunDirPool, type PlacedDir, stampOf } from "./run-dirs";

/** Waits for the next clock tick of the kernel, since changes within one tick have the same time. */
function waitForTick({ homeDir, path }: PlacedDir) {
  const probe = join(path, "..", "probe");
  const changedAt = (file: string) => statSync(file, { bigint: true }).ctimeNs;
  return waitUntil("a later tick", () => {
    writeFileSync(probe, "");
    const isLater = changedAt(probe) > changedAt(homeDir);
    rmSync(probe);
    return isLater;
  });
}

function place(): PlacedDir {
  const { lease } = makeLease("echo.sh");
  const dir = createRunDir(makeWorkDir(), lease);
  writeFileSync(join(dir.skillDir, "run.sh"), "echo 1", { mode: 0o555 });
  return { ...dir, versionDigest: "a", stamp: stampOf(dir.path) };
}

it("lends what was left as it was, to one run at a time, and only to its version", () => {
  const dirs = createRunDirPool();
  const placed = place();
  dirs.release(placed);
  expect(dirs.acquire("b")).toBeNull();
  expect(dirs.acquire("a")).toBe(placed);
  expect(dirs.acquire("a")).toBeNull();
});

const changes: [string, (placed: PlacedDir) => void][] = [
  ["a file was written", ({ skillDir }) => writeFileSync(join(skillDir, "run.sh"), "echo 2")],
  ["a file was given other rights", ({ skillDir }) => chmodSync(join(skillDir, "run.sh"), 0o755)],
  ["a file was added", ({ skillDir }) => writeFileSync(join(skillDir, "more"), "")],
  ["the home is not empty", ({ homeDir }) => writeFileSync(join(homeDir, "token"), "")],
  [
    "the home is empty again",
    ({ homeDir }) => {
      writeFileSync(join(homeDir, "token"), "");
      rmSync(join(homeDir, "token"));
    },
  ],
  ["the home is gone", ({ homeDir }) => rmdirSync(homeDir)],
  [
    "a file is another one",
    ({ skillDir, path }) => {
      writeFileSync(join(path, "other"), "echo 1", { mode: 0o555 });
      renameSync(join(path, "other"), join(skillDir, "run.sh"));
    },
  ],
];

test.each(changes)("where %s, it is removed instead", async (_what, change) => {
  const dirs = createRunDirPool();
  const [first, second] = [place(), place()];
  await waitForTick(second);
  change(first);
  dirs.release(first);
  await waitUntil("its end", () => !existsSync(first.path));
  // Another process wrote to it while no run used it.
  dirs.release(second);
  change(second);
  expect(dirs.acquire("a")).toBeNull();
  expect(existsSync(second.path)).toBe(false);
});

it("keeps the newest, and none when it is closed", async () => {
  const dirs = createRunDirPool();
  const all = Array.from({ length: 18 }, place);
  for (const placed of all) dirs.release(placed);
  await waitUntil("the end of the oldest", () => all.filter(({ path }) => existsSync(path)).length === 16);
  const taken = dirs.acquire("a");
  dirs.close();
  expect(all.filter(({ path }) => existsSync(path))).toEqual([taken]);
  dirs.release(taken as PlacedDir);
  await waitUntil("the end of the last", () => !existsSync(taken?.path ?? ""));
  expect(readdirSync(join(taken?.path ?? "", ".."))).toEqual([]);
});
