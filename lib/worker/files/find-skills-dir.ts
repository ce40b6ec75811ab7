import { chmodSync, lstatSync, mkdirSync, mkdtempSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { sha256Hex } from "@/lib/core/hash";

/**
 * Where skills, or the workspaces of sessions, are placed for sandboxed runs: in the work directory, unless a run with a user id of its own could not get
 * there (below /root, say). Then in the system's directory for temporary files, under a name of its own.
 */
export function findSkillsDir(workDir: string, name: "skills" | "workspaces" = "skills"): string {
  const isRoot = process.getuid?.() === 0;
  const dir = isRoot && !isReachable(dirname(workDir)) ? ownTemporary(workDir, name) : join(workDir, name);
  mkdirSync(dir, { recursive: true });
  // Others may pass through it, but not list it, whatever the umask is.
  chmodSync(dir, 0o711);
  return dir;
}

/** Whether every account of the host can pass through all directories on the way. */
export function isReachable(dir: string): boolean {
  const isOpen = (statSync(dir).mode & 0o001) !== 0;
  return isOpen && (dirname(dir) === dir || isReachable(dirname(dir)));
}

/** The same at each start; if somebody else made a thing of that name, another one. */
function ownTemporary(workDir: string, name: string): string {
  const path = join(tmpdir(), `skillgate-${name}-${sha256Hex(workDir).slice(0, 16)}`);
  mkdirSync(path, { recursive: true, mode: 0o711 });
  const stats = lstatSync(path);
  return stats.isDirectory() && stats.uid === process.getuid?.() ? path : mkdtempSync(`${path}-`);
}
