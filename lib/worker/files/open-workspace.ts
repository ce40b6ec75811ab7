import {
  chmodSync,
  chownSync,
  type Dirent,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { join } from "node:path";
import { sha256Hex } from "@/lib/core/hash";
import { RunFailure } from "../run/run-failure";
import { removeRunDir } from "./run-dirs";

/** Ids that no account of a Linux distribution and no run without a workspace uses. */
const UIDS = { first: 60_706, count: 478 };
const KEPT_MS = 24 * 3600 * 1000;
const TIDY_MS = 10 * 60 * 1000;
/** Counting stops here; a workspace with more files counts as full. */
const MAX_COUNTED = 200_000;

export type Workspace = {
  dir: string;
  /** The real user id of all its runs, so that each can change the files of others; null keeps the worker's own. */
  uid: number | null;
  isFull: boolean;
};

let tidiedMs = 0;

/** Opens the directory of a session, kept for a day, which only its runs can enter. Throws RunFailure for an invalid id. */
export function openWorkspace(
  workspacesDir: string,
  id: string,
  { hasUids, maxBytes }: { hasUids: boolean; maxBytes: number },
): Workspace {
  if (!/^[A-Za-z0-9]{1,64}$/.test(id)) throw new RunFailure("spawn_failed", "The workspace's id in the lease is none.");
  if (Date.now() - tidiedMs > TIDY_MS) removeOldWorkspaces(workspacesDir);
  const outer = join(workspacesDir, id);
  const dir = join(outer, "files");
  const uid = hasUids ? UIDS.first + (Number.parseInt(sha256Hex(id).slice(0, 8), 16) % UIDS.count) : null;
  mkdirSync(dir, { recursive: true });
  // Runs without isolation can access it, and a link would make the next run mount another folder.
  if ([outer, dir].some((path) => !lstatSync(path).isDirectory())) {
    throw new RunFailure("spawn_failed", "The workspace is no longer a directory.");
  }
  chmodSync(outer, 0o711);
  chmodSync(dir, 0o700);
  if (uid !== null && statSync(dir).uid !== uid) chownSync(dir, uid, uid);
  touchWorkspace({ dir });
  return { dir, uid, isFull: sizeOf(dir) > maxBytes };
}

export function touchWorkspace({ dir }: Pick<Workspace, "dir">): void {
  const now = new Date();
  utimesSync(join(dir, ".."), now, now);
}

/** Removes workspaces that were not used for a day; a run takes an hour at most. */
export function removeOldWorkspaces(workspacesDir: string): void {
  tidiedMs = Date.now();
  for (const name of readdirSync(workspacesDir)) {
    const outer = join(workspacesDir, name);
    const used = statSync(outer, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (tidiedMs - used < KEPT_MS) continue;
    if (lstatSync(outer, { throwIfNoEntry: false })?.isDirectory()) removeRunDir(outer);
    else rmSync(outer, { force: true });
  }
}

function sizeOf(dir: string): number {
  let bytes = 0;
  let counted = 0;
  const waiting = [dir];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const entry of list(next)) {
      counted += 1;
      if (counted > MAX_COUNTED) return Number.POSITIVE_INFINITY;
      const path = join(next, entry.name);
      if (entry.isDirectory()) waiting.push(path);
      else bytes += (lstatSync(path, { throwIfNoEntry: false })?.blocks ?? 0) * 512;
    }
  }
  return bytes;
}

/** A run that is still executing may have removed it. */
function list(dir: string): Dirent[] {
  try {
    return readdirSync(dir, { withFileTypes: true });
  } catch {
    return [];
  }
}
