import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isBelow } from "@/lib/policy/worker-allowance";
import { WORKER_NODE } from "@/lib/skill-format/entry/script-entry";
import { isReachable, placeNode, type WorkDir } from "../files/work-dir";
import type { Bubblewrap, SharedRoot } from "../sandbox/isolation";
import { SANDBOX_HOME, SANDBOX_SKILL } from "../sandbox/sandbox-command";
import { tryBubblewrap } from "../sandbox/trial-runs";
import { NODE_BARRIER, NODE_BARRIER_PATH } from "./start-barrier";

type Options = {
  /** Hears why runs build their own roots after all; a sentence for people. */
  tell?: (why: string) => void;
  /** Where the small system files are copied from; "/" but for tests. */
  source?: string;
};

/**
 * Makes the directory that plain runs of this worker have as their "/", and tries it out; without it when it does not
 * work. A sandbox then costs 7.6 ms of processor time instead of 8.8 (docs/decisions/024). It lies beside the skills, where the next start removes it, and holds copies of the small system files as they are
 * now.
 */
export async function createSharedRoot(
  isolation: Bubblewrap,
  workDir: Pick<WorkDir, "skillsDir">,
  { tell = () => {}, source = "/" }: Options = {},
): Promise<Bubblewrap> {
  const without = { ...isolation, node: placeNode(workDir), root: null };
  try {
    const found = { ...without, root: buildRoot(without, workDir.skillsDir, source) };
    const failure = await tryBubblewrap(found);
    if (failure === null) return found;
    tell(`Each run builds a root directory of its own: ${failure}`);
  } catch (error) {
    tell(`Each run builds a root directory of its own: ${error instanceof Error ? error.message : String(error)}`);
  }
  return without;
}

function buildRoot({ system, node }: Bubblewrap & { node: string }, skillsDir: string, source: string): SharedRoot {
  const dir = mkdtempSync(join(skillsDir, "root-"));
  chmodSync(dir, 0o755);
  for (const path of [...system.dirs, "/proc", "/dev", SANDBOX_HOME, SANDBOX_SKILL]) makeDir(dir, path);
  for (const { target, path } of system.links) {
    makeDir(dir, dirname(path));
    symlinkSync(target, join(dir, path));
  }
  const isShown = (path: string) => system.dirs.some((shown) => path.startsWith(`${shown}/`));
  for (const path of system.files) {
    makeDir(dir, dirname(path));
    copySystemFile(join(source, path), path, { to: join(dir, path), isShown });
  }
  makeDir(dir, dirname(WORKER_NODE));
  writeFileSync(join(dir, NODE_BARRIER_PATH), NODE_BARRIER);
  chmodSync(join(dir, NODE_BARRIER_PATH), 0o444);
  const hasNode = isShown(node);
  if (hasNode) symlinkSync(node, join(dir, WORKER_NODE));
  else writeFileSync(join(dir, WORKER_NODE), "");
  return { dir, changedMs: statSync(dir).ctimeMs, hasNode };
}

/** Everybody can pass through it and all above it, whatever the umask is. */
function makeDir(root: string, path: string): void {
  if (path === "/") return;
  makeDir(root, dirname(path));
  mkdirSync(join(root, path), { recursive: true });
  chmodSync(join(root, path), 0o755);
}

/** A link stays one when a run can follow it; otherwise what it leads to is there in its place, as a mount would have it. */
function copySystemFile(
  from: string,
  path: string,
  { to, isShown }: { to: string; isShown: (path: string) => boolean },
) {
  const real = realpathSync(from);
  const isLink = lstatSync(from).isSymbolicLink();
  if (isLink && isShown(resolve(dirname(path), readlinkSync(from))) && isShown(real)) copyPublic(from, to);
  else if (!isLink || isReachable(dirname(real))) copyPublic(real, to);
}

/**
 * Copies a file or a directory with all in it that everybody may read, and leaves out the rest. Links stay links, wherever
 * they lead. Nobody but the owner may write to the copies, whatever the umask is.
 */
function copyPublic(from: string, to: string): void {
  const stats = lstatSync(from);
  if (stats.isSymbolicLink()) {
    symlinkSync(readlinkSync(from), to);
  } else if (stats.isDirectory() && (stats.mode & 0o005) === 0o005) {
    mkdirSync(to);
    chmodSync(to, 0o755);
    for (const name of readdirSync(from)) copyPublic(join(from, name), join(to, name));
  } else if (stats.isFile() && (stats.mode & 0o004) !== 0) {
    copyFileSync(from, to);
    chmodSync(to, stats.mode & 0o555);
  }
}

/** The part of the host that a preforked launcher of sandboxes, and so bubblewrap, can see. */
export type MountView = {
  /** The arguments by which bubblewrap builds it. */
  mounts: string[];
  /** Whether a path of the host is the same in there. */
  holds(path: string): boolean;
};

/**
 * A view with what plain runs are built from, and with a `/dev` of its own: bubblewrap reads the list of all mounts again
 * for everything that it binds, and the kernel copies all of them for each run; without it a sandbox costs 7.4 ms of processor
 * time instead of 5.5 on a host with 22 mounts (docs/decisions/025). `shown` are directories of the host. Null without a
 * prepared root: such runs are built from more than this.
 */
export function mountViewOf({ system, root, node = process.execPath }: Bubblewrap, shown: string[]): MountView | null {
  if (!root) return null;
  const paths = outermost([...system.dirs, ...shown, root.dir, node]);
  return {
    mounts: [
      ...["--tmpfs", "/tmp", "--ro-bind-try", join(root.dir, "etc"), "/etc"],
      ...["--dev-bind", "/proc", "/proc", "--dev", "/dev"],
      ...system.links.flatMap(({ target, path }) => ["--symlink", target, path]),
      // Left to itself bubblewrap makes them for root alone.
      ...[...new Set(paths.flatMap(above))].flatMap((path) => ["--perms", "0755", "--dir", path]),
      // The last, so that nothing covers them.
      ...paths.flatMap((path) => ["--ro-bind", path, path]),
      ...["--remount-ro", "/dev", "--remount-ro", "/"],
    ],
    holds: (path) => paths.some((dir) => isBelow(path, dir)),
  };
}

/** Each once, without those that lie in another one. */
function outermost(paths: string[]): string[] {
  const each = [...new Set(paths)];
  return each.filter((path) => !each.some((dir) => dir !== path && isBelow(path, dir)));
}

/** The directories on the way to a path, without the first. */
function above(path: string): string[] {
  const parent = dirname(path);
  return parent === "/" ? [] : [...above(parent), parent];
}
