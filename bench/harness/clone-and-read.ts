import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Milliseconds of `git clone --depth 1` of a repository and of reading every SKILL.md in it. */
export function cloneAndRead(repository: string): number {
  const folder = mkdtempSync(join(tmpdir(), "skillgate-bench-clone-"));
  const start = performance.now();
  try {
    execFileSync("git", ["clone", "--quiet", "--depth", "1", `file://${repository}`, folder], { stdio: "ignore" });
    for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
      if (path.endsWith("SKILL.md")) readFileSync(join(folder, path));
    }
    return performance.now() - start;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
