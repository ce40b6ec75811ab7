import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readProcessStat } from "../processes/read-process";
import { makeWorkDir } from "../testing/make-work-dir";
import { findSkillsDir, lockWorkDir, prepareWorkDir } from "./work-dir";

describe("prepareWorkDir", () => {
  it("removes what a killed worker left on disk, including unreadable files", async () => {
    const path = makeWorkDir();
    const { runsDir } = await prepareWorkDir(path);
    mkdirSync(join(runsDir, "old-1", "home", "closed"), { recursive: true });
    writeFileSync(join(runsDir, "old-1", "home", "closed", "file"), "left", { mode: 0 });
    await prepareWorkDir(path);
    expect(readdirSync(runsDir)).toEqual([]);
  });

  it("drops cached files that have not been fetched for 30 days", async () => {
    const path = makeWorkDir();
    const { cacheDir } = await prepareWorkDir(path);
    for (const name of ["old", "new"]) writeFileSync(join(cacheDir, name), "bytes");
    const monthAgo = new Date(Date.now() - 31 * 24 * 3600 * 1000);
    utimesSync(join(cacheDir, "old"), monthAgo, monthAgo);
    await prepareWorkDir(path);
    expect(readdirSync(cacheDir)).toEqual(["new"]);
  });

  it("refuses a directory that another living process holds", async () => {
    const path = makeWorkDir();
    const holder = spawn("/bin/sleep", ["60"]);
    onTestFinished(() => void holder.kill("SIGKILL"));
    const ticks = readProcessStat(holder.pid ?? 0)?.startTicks;
    writeFileSync(join(path, "worker.lock"), `${holder.pid} ${ticks}`);
    await expect(lockWorkDir(path, 100)).rejects.toThrow(`in use by process ${holder.pid}`);
  });

  it("takes over the lock of a process that is dead, also when its id lives again", async () => {
    const path = makeWorkDir();
    writeFileSync(join(path, "worker.lock"), `${process.ppid} 1`);
    await expect(prepareWorkDir(path)).resolves.toMatchObject({ runsDir: join(path, "runs") });
  });
});

const isRoot = process.getuid?.() === 0;

it("is in the work directory when others can get there", () => {
  const parent = makeWorkDir();
  chmodSync(parent, 0o711);
  const workDir = join(parent, "work");
  mkdirSync(workDir);
  expect(findSkillsDir(workDir)).toBe(join(workDir, "skills"));
  expect(statSync(join(workDir, "skills")).mode & 0o777).toBe(0o711);
});

it.runIf(isRoot)("is elsewhere, and the same each time, when runs with an id of their own could not", () => {
  const workDir = join(makeWorkDir(), "work");
  mkdirSync(workDir);
  const dir = findSkillsDir(workDir);
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  expect(dir.startsWith(workDir)).toBe(false);
  expect(findSkillsDir(workDir)).toBe(dir);
  expect(statSync(dir)).toMatchObject({ uid: 0 });
});
