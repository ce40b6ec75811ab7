import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atFileEnd } from "@/lib/testing/at-file-end";
import { createSharedRoot } from "../launch/mount-view";
import type { Bubblewrap } from "../sandbox/isolation";

let prepared: Promise<Bubblewrap> | null = null;

/** Adds a mount view as a worker prepares it at its start, shared by all tests of a file. */
export async function shareMountView(isolation: Bubblewrap): Promise<Bubblewrap> {
  if (isolation.root !== undefined) return isolation;
  if (prepared === null) {
    const skillsDir = mkdtempSync(join(tmpdir(), "root-test-"));
    chmodSync(skillsDir, 0o711);
    prepared = createSharedRoot(isolation, { skillsDir });
    atFileEnd(() => {
      prepared = null;
      rmSync(skillsDir, { recursive: true, force: true });
    });
  }
  const { node, root } = await prepared;
  return { ...isolation, root: root ?? null, ...(node && { node }) };
}
