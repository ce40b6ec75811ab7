import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { removeRunDir, removeRunDirBeside } from "./run-dirs";

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
