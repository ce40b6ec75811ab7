import { chmodSync, mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { makeWorkDir } from "../testing/make-work-dir";
import { findSkillsDir } from "./work-dir";

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
