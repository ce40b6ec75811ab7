import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { removeRunDir } from "../files/run-dirs";

/** Creates an empty directory and removes it after the test, read-only parts included. */
export function makeWorkDir(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "worker-test-")));
  onTestFinished(() => removeRunDir(path));
  return path;
}
