import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import * as editFile from "./edit_file";
import * as listDir from "./list_dir";
import * as readFile from "./read_file";
import * as runCommand from "./run_command";
import { callBuiltin, makeDir } from "./testing/call-builtin";
import * as writeFile from "./write_file";

it("writes, appends, reads by lines and lists", async () => {
  const io = { workspace: makeDir() };
  const path = "notes/today.txt";
  expect(await callBuiltin(writeFile, { path, content: "one\ntwo\n" }, io)).toEqual({ path, bytes: 8, created: true });
  await callBuiltin(writeFile, { path: `/workspace/${path}`, content: "three\n", append: true }, io);
  expect(await callBuiltin(readFile, { path, offset: 2, limit: 1 }, io)).toMatchObject({
    text: "two",
    firstLine: 2,
    lastLine: 2,
    totalLines: 3,
    truncated: true,
  });
  expect(await callBuiltin(listDir, { depth: 2 }, io)).toMatchObject({
    entries: [
      { path: "notes", type: "directory" },
      { path, type: "file", size: 14 },
    ],
    truncated: false,
  });
  expect(await callBuiltin(listDir, { depth: 2, limit: 1 }, io)).toMatchObject({ truncated: true });
});

it("edits the only place of a text, or all of them, and never guesses", async () => {
  const workspace = makeDir();
  const io = { workspace };
  writeFileSync(join(workspace, "a.txt"), "x = 1\nx = 1\n");
  const change = { path: "a.txt", old_text: "x = 1", new_text: "x = $&" };
  await expect(callBuiltin(editFile, change, io)).rejects.toThrow("at 2 places");
  await expect(callBuiltin(editFile, { ...change, old_text: "y" }, io)).rejects.toThrow("does not have that text");
  expect(await callBuiltin(editFile, { ...change, replace_all: true }, io)).toMatchObject({ replacements: 2 });
  expect(readFileSync(join(workspace, "a.txt"), "utf8")).toBe("x = $&\nx = $&\n");
});

it("refuses every way out of the workspace, and changes nothing there", async () => {
  const [workspace, outside] = [makeDir(), makeDir()];
  const io = { workspace };
  writeFileSync(join(outside, "secret"), "s");
  symlinkSync(outside, join(workspace, "out"));
  symlinkSync(join(outside, "new"), join(workspace, "dangling"));
  for (const path of ["../x", "/etc/passwd", "out/secret", "out/../../x", "/workspace/../x", "/workspacex", "a\0b"]) {
    await expect(callBuiltin(readFile, { path }, io), path).rejects.toThrow(/outside the workspace/);
    await expect(callBuiltin(writeFile, { path, content: "w" }, io), path).rejects.toThrow(/outside the workspace/);
    await expect(callBuiltin(listDir, { path }, io), path).rejects.toThrow(/outside the workspace/);
  }
  await expect(callBuiltin(writeFile, { path: "dangling", content: "w" }, io)).rejects.toThrow();
  await expect(callBuiltin(runCommand, { command: "true", directory: "out" }, io)).rejects.toThrow(/outside/);
  expect(existsSync(join(outside, "new"))).toBe(false);
});

it("tells of what cannot be read", async () => {
  const workspace = makeDir();
  const io = { workspace };
  writeFileSync(join(workspace, "binary"), Buffer.from([0xff, 0xfe, 0x00]));
  mkdirSync(join(workspace, "dir"));
  await expect(callBuiltin(readFile, { path: "binary" }, io)).rejects.toThrow("is not UTF-8 text");
  await expect(callBuiltin(readFile, { path: "dir" }, io)).rejects.toThrow("dir is no file");
  await expect(callBuiltin(readFile, { path: "none" }, io)).rejects.toThrow("none does not exist");
  await expect(callBuiltin(writeFile, { path: "dir", content: "" }, io)).rejects.toThrow("dir is a directory");
  await expect(callBuiltin(readFile, { path: "x" }, { workspace: "/nowhere" })).rejects.toThrow("no workspace");
});

it("run_command gives exit code and output, bounded, and ends at its time limit", async () => {
  const workspace = makeDir();
  const io = { workspace };
  const failed = await callBuiltin(runCommand, { command: "pwd; echo e >&2; exit 3" }, io);
  expect(failed).toMatchObject({ exitCode: 3, stderr: "e\n", timedOut: false });
  const flood = await callBuiltin(runCommand, { command: "head -c 200000 /dev/zero | tr '\\0' a" }, io);
  expect([(flood.stdout as string).length, flood.truncated]).toEqual([65_536, true]);
  const late = await callBuiltin(runCommand, { command: "sleep 60 & sleep 60", timeout_seconds: 1 }, io);
  expect(late).toMatchObject({ timedOut: true, exitCode: null });
});
