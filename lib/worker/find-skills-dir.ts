import { chmodSync, lstatSync, mkdirSync, mkdtempSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { sha256Hex } from "@/lib/core/hash";

/**
 * Where skills are placed for sandboxed runs: in the work directory, unless a run with a user id of its own could not get
 * there (below /root, say). Then in the system's directory for temporary files, under a name of its own.
 */
export function findSkillsDir(workDir: string): string {
  const isRoot = process.getuid?.() === 0;
  const dir = isRoot && !isReachable(dirname(workDir)) ? ownTemporary(workDir) : join(workDir, "skills");
  mkdirSync(dir, { recursive: true });
  // Others may pass through it, but not list it, whatever the umask is.
  chmodSync(dir, 0o711);
  return dir;
}

function isReachable(dir: string): boolean {
  const isOpen = (statSync(dir).mode & 0o001) !== 0;
  return isOpen && (dirname(dir) === dir || isReachable(dirname(dir)));
}

/** The same at each start; if somebody else made a thing of that name, another one. */
function ownTemporary(workDir: string): string {
  const path = join(tmpdir(), `skillgate-skills-${sha256Hex(workDir).slice(0, 16)}`);
  mkdirSync(path, { recursive: true, mode: 0o711 });
  const stats = lstatSync(path);
  return stats.isDirectory() && stats.uid === process.getuid?.() ? path : mkdtempSync(`${path}-`);
}
