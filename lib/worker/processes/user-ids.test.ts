import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, vi } from "vitest";

it("no two workers of a host give their runs the same user ids, in bubblewrap either", async ({ skip }) => {
  if (process.getuid?.() !== 0) skip("only root gives runs an id of their own");
  const dir = mkdtempSync(join(tmpdir(), "filters-"));
  const firsts: number[] = [];
  for (const _worker of ["one", "another"]) {
    // Modules that are loaded again know no claims, like those of another process.
    vi.resetModules();
    const { probeBubblewrap } = await import("../sandbox/probe-isolation");
    const found = await probeBubblewrap(dir);
    if (typeof found === "string") skip(found);
    else firsts.push(found.uids?.first ?? 0);
  }
  rmSync(dir, { recursive: true });
  expect(new Set(firsts).size).toBe(2);
  expect(firsts).not.toContain(0);
});
