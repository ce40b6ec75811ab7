import { execFileSync } from "node:child_process";
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const BLOCK = Buffer.alloc(64 * 1024, 1);

export type SmallDisk = {
  folder: string;
  free(): number;
  fillTo(bytes: number): void;
  empty(): void;
  unmount(): void;
};

/** A separate file system in memory, of so many MiB; null where this process may not mount one. */
export function mountSmallDisk(mebibytes: number): SmallDisk | null {
  const folder = mkdtempSync(join(tmpdir(), "skillgate-small-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${mebibytes}m,mode=755`, "tmpfs", folder], { stdio: "pipe" });
  } catch {
    rmSync(folder, { recursive: true });
    return null;
  }
  const filler = openSync(join(folder, "filler"), "w");
  let taken = 0;
  const free = () => {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  };
  return {
    folder,
    free,
    fillTo: (bytes) => {
      while (free() > bytes) {
        const length = Math.min(BLOCK.length, free() - bytes);
        try {
          taken += writeSync(filler, BLOCK, 0, length, taken);
        } catch {
          return; // Another process used the rest.
        }
      }
    },
    empty: () => {
      taken = 0;
      ftruncateSync(filler, 0);
    },
    unmount: () => {
      closeSync(filler);
      // Lazy unmount: a process that was just killed may still be ending.
      execFileSync("umount", ["-l", folder], { stdio: "pipe" });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
