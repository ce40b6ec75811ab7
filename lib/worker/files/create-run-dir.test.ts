import { existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeLease } from "../testing/make-lease";
import { makeWorkDir } from "../testing/make-work-dir";
import { createRunDir } from "./run-dirs";

test("what a killed worker left of the same attempt is not in the new directory", () => {
  const runsDir = makeWorkDir();
  const { lease } = makeLease("echo.sh");
  const left = join(createRunDir(runsDir, lease).homeDir, "left");
  writeFileSync(left, "");
  const { path, skillDir, homeDir } = createRunDir(runsDir, lease);
  expect(existsSync(left)).toBe(false);
  expect([path, skillDir, homeDir].map((dir) => statSync(dir).mode & 0o777)).toEqual([0o711, 0o755, 0o700]);
});
