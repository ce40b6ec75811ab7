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
  /** Receives the reason when each run has to build its own root. */
  tell?: (why: string) => void;
  source?: string;
};

/**
 * Creates the root directory that plain runs of this worker share, and tries it; if it fails, each run builds its own. With
 * it a sandbox costs 7.6 ms of processor time instead of 8.8 (docs/decisions/024). The directory is next to the skills,
 * where the next start removes it, and contains copies of the small system files as they are now.
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

/** Every account can traverse the directory and its parents, regardless of the umask. */
function makeDir(root: string, path: string): void {
  if (path === "/") return;
  makeDir(root, dirname(path));
  mkdirSync(join(root, path), { recursive: true });
  chmodSync(join(root, path), 0o755);
}

/** Copies a link as a link if a run can follow it; otherwise copies its target in its place, as a mount would show it. */
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

/** Copies only what every account may read. Links stay links; only the owner may write to the copies. */
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
  mounts: string[];
  /** Whether a path shows the same inside as on the host. */
  holds(path: string): boolean;
};

/**
 * A view with the directories that plain runs are built from, and with a `/dev` of its own. Bubblewrap reads the list of
 * all mounts again for each bind, and the kernel copies all of them for each run: without the view a sandbox costs 7.4 ms
 * of processor time instead of 5.5 on a host with 22 mounts (docs/decisions/025). `shown` are directories of the host. Null
 * without a shared root, because such runs need more mounts than the view has.
 */
export function mountViewOf({ system, root, node = process.execPath }: Bubblewrap, shown: string[]): MountView | null {
  if (!root) return null;
  const paths = outermost([...system.dirs, ...shown, root.dir, node]);
  return {
    mounts: [
      ...["--tmpfs", "/tmp", "--ro-bind-try", join(root.dir, "etc"), "/etc"],
      ...["--dev-bind", "/proc", "/proc", "--dev", "/dev"],
      ...system.links.flatMap(({ target, path }) => ["--symlink", target, path]),
      // By default bubblewrap creates them for root only.
      ...[...new Set(paths.flatMap(above))].flatMap((path) => ["--perms", "0755", "--dir", path]),
      // Last, so that nothing covers them.
      ...paths.flatMap((path) => ["--ro-bind", path, path]),
      ...["--remount-ro", "/dev", "--remount-ro", "/"],
    ],
    holds: (path) => paths.some((dir) => isBelow(path, dir)),
  };
}

function outermost(paths: string[]): string[] {
  const each = [...new Set(paths)];
  return each.filter((path) => !each.some((dir) => dir !== path && isBelow(path, dir)));
}

function above(path: string): string[] {
  const parent = dirname(path);
  return parent === "/" ? [] : [...above(parent), parent];
}
