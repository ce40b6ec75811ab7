import { dirname, join } from "node:path";
import type { Bubblewrap } from "../sandbox/claim-uids";

/** The part of the host that starters of sandboxes, and so bubblewrap, can see. */
export type Room = {
  /** The arguments by which bubblewrap builds it. */
  mounts: string[];
  /** Whether a path of the host is the same in there. */
  holds(path: string): boolean;
};

/**
 * A room with what plain runs are built from, and with a `/dev` of its own: bubblewrap reads the list of all mounts again
 * for everything that it binds, and the kernel copies all of them for each run. `shown` are directories of the host. Null
 * without a prepared root: such runs are built from more than this.
 */
export function roomOf({ system, root, node = process.execPath }: Bubblewrap, shown: string[]): Room | null {
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

function isBelow(path: string, dir: string): boolean {
  return path === dir || path.startsWith(`${dir}/`);
}
