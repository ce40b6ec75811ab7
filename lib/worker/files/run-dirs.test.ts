import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, test } from "vitest";
import { makeLease } from "../testing/make-lease";
import { makeWorkDir } from "../testing/make-work-dir";
import { waitUntil } from "../testing/wait-until";
import { createRunDir, createRunDirPool, type PlacedDir, removeRunDir, removeRunDirBeside, stampOf } from "./run-dirs";

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

test("what a killed worker left of the same attempt is not in the new directory", () => {
  const runsDir = makeWorkDir();
  const { lease } = makeLease("echo.sh");
  const left = join(createRunDir(runsDir, lease).homeDir, "left");
  writeFileSync(left, "");
  const { path, skillDir, homeDir } = createRunDir(runsDir, lease);
  expect(existsSync(left)).toBe(false);
  expect([path, skillDir, homeDir].map((dir) => statSync(dir).mode & 0o777)).toEqual([0o711, 0o755, 0o700]);
});

test.each([
  ["at once", removeRunDir],
  ["beside other runs", removeRunDirBeside],
])("closed directories go, and nothing that links lead to, %s", async (_when, remove) => {
  const around = mkdtempSync(join(tmpdir(), "skillgate-remove-"));
  onTestFinished(() => rmSync(around, { recursive: true, force: true }));
  const [run, elsewhere] = [join(around, "run"), join(around, "elsewhere")];
  mkdirSync(elsewhere);
  writeFileSync(join(elsewhere, "file"), "kept");
  mkdirSync(join(run, "skill", "deep"), { recursive: true });
  mkdirSync(join(run, "home"));
  writeFileSync(join(run, "skill", "deep", "entry"), "", { mode: 0o444 });
  symlinkSync(elsewhere, join(run, "home", "link"));
  symlinkSync("/nowhere", join(run, "home", "dangling"));
  for (const dir of ["skill/deep", "skill", "home"]) chmodSync(join(run, dir), 0o500);
  await remove(run);
  expect(existsSync(run)).toBe(false);
  expect(readFileSync(join(elsewhere, "file"), "utf8")).toBe("kept");
  await remove(run);
});
