import { mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { removeRunDir } from "../files/run-dirs";

/** An empty directory that goes away with the test, for an ordinary user too the parts of it that are read-only. */
export function makeWorkDir(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "worker-test-")));
  onTestFinished(() => removeRunDir(path));
  return path;
}
