import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** An empty directory that goes away with the test. */
export function makeWorkDir(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "worker-test-")));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
