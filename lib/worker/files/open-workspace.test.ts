import { existsSync, mkdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeWorkDir } from "../testing/make-work-dir";
import { openWorkspace, removeOldWorkspaces } from "./open-workspace";

const PLAIN = { hasUids: false, maxBytes: 10_000 };

it("gives a session the same directory and user id each time, and other users may not enter", () => {
  const dir = makeWorkDir();
  const first = openWorkspace(dir, "abc", PLAIN);
  writeFileSync(join(first.dir, "x"), "x");
  expect(openWorkspace(dir, "abc", PLAIN)).toEqual(first);
  expect(statSync(first.dir).mode & 0o777).toBe(0o700);
  expect(existsSync(join(openWorkspace(dir, "abd", PLAIN).dir, "x"))).toBe(false);
});

it.runIf(process.getuid?.() === 0)("takes user ids that no other run has", () => {
  const { dir, uid } = openWorkspace(makeWorkDir(), "abc", { ...PLAIN, hasUids: true });
  expect(uid).toBeGreaterThanOrEqual(60_706);
  expect(uid).toBeLessThan(61_184);
  expect(statSync(dir).uid).toBe(uid);
});

it("refuses an id that would be a path", () => {
  for (const id of ["..", "a/b", "", "a.b", "x".repeat(65)])
    expect(() => openWorkspace(makeWorkDir(), id, PLAIN), id).toThrow("id in the lease is none");
});

it("is refused once it is a link, which a run without isolation can make of it", () => {
  const dir = makeWorkDir();
  const { dir: files } = openWorkspace(dir, "abc", PLAIN);
  rmSync(files, { recursive: true });
  symlinkSync("/etc", files);
  expect(() => openWorkspace(dir, "abc", PLAIN)).toThrow("no longer a directory");
});

it("says when it is full", () => {
  const dir = makeWorkDir();
  const { dir: files, isFull } = openWorkspace(dir, "abc", PLAIN);
  expect(isFull).toBe(false);
  mkdirSync(join(files, "inner"));
  writeFileSync(join(files, "inner", "big"), Buffer.alloc(20_000, 1));
  expect(openWorkspace(dir, "abc", PLAIN).isFull).toBe(true);
});

it("removes workspaces that were unused for a day, and keeps the rest", () => {
  const dir = makeWorkDir();
  const [old, recent] = [openWorkspace(dir, "old", PLAIN), openWorkspace(dir, "recent", PLAIN)];
  const dayAgo = new Date(Date.now() - 24.1 * 3600 * 1000);
  utimesSync(join(dir, "old"), dayAgo, dayAgo);
  removeOldWorkspaces(dir);
  expect([existsSync(old.dir), existsSync(recent.dir)]).toEqual([false, true]);
});
