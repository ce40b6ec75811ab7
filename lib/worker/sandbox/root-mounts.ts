import { statSync } from "node:fs";
import type { HiddenPlace, OpenedPath } from "../access/hidden-places";
import { bindSecrets } from "../files/give-secrets";
import { SANDBOX_NODE } from "../launch/spawn-entry";
import type { LeaseSecret, RunLimits, RunTerms } from "../protocol";
import type { GateCommand } from "../warm/gate-command";
import { NODE_GATE_PATH } from "../warm/node-gate";
import type { Bubblewrap, PreparedRoot } from "./claim-uids";
import { SANDBOX_HOME, SANDBOX_SKILL, SANDBOX_WORKSPACE } from "./sandbox-places";

/** What decides on the files that a run sees. */
export type MountedRun = {
  isolation: Bubblewrap;
  /** On the host; mounted read-only. */
  skillDir: string;
  terms: RunTerms;
  limits: RunLimits;
  /** Of the host, as resolved by the worker. */
  paths?: OpenedPath[];
  /** Covered in them. */
  covers?: HiddenPlace[];
  /** On the host; the session's directory, which the run can write to. */
  workspaceDir?: string | null;
  /** Credentials that it gets as files. */
  secrets?: LeaseSecret[];
  /** The sandbox tells on descriptor 4 that it is built, and waits there if it has no run yet. */
  gate?: { waits: GateCommand | null; nodeGate: string } | null;
};

/** By which bubblewrap makes a `/dev` for one run. */
export const OWN_DEV = ["--dev", "/dev", "--remount-ro", "/dev"];

/**
 * The arguments of bubblewrap that build a run's file system: in the root that the worker prepared, or, for a run that
 * mounts something for which that has no place, in an empty one of its own, which is made read-only in the end.
 */
export function rootMounts(run: MountedRun): string[] {
  const { isolation, skillDir, terms, limits, workspaceDir = null, secrets = [], gate = null } = run;
  const { paths = [], covers = [] } = run;
  const { dirs, files, links } = isolation.system;
  const root = rootFor(run);
  const shown = root ? dirs : [...dirs, ...files];
  const size = ["--perms", "1777", "--size", String(limits.diskBytes)];
  const node = ["--ro-bind", isolation.node ?? process.execPath, SANDBOX_NODE];
  return [
    ...(root ? ["--ro-bind", root.dir, "/"] : []),
    ...shown.flatMap((path) => ["--ro-bind", path, path]),
    ...(root ? [] : links.flatMap(({ target, path }) => ["--symlink", target, path])),
    ...(hasHostNetwork(terms) ? NAME_FILES.flatMap((path) => ["--ro-bind-try", path, path]) : []),
    ...["--proc", "/proc"],
    ...OWN_DEV,
    ...[...size, "--tmpfs", "/dev/shm", ...size, "--tmpfs", SANDBOX_HOME],
    ...["--ro-bind", skillDir, SANDBOX_SKILL],
    ...(root?.hasNode ? [] : node),
    ...(workspaceDir === null ? [] : ["--bind", workspaceDir, SANDBOX_WORKSPACE]),
    ...(!root && gate?.waits?.kind === "node" ? ["--ro-bind", gate.nodeGate, NODE_GATE_PATH] : []),
    ...paths
      .toSorted((a, b) => a.path.length - b.path.length)
      .flatMap(({ path, real, mode }) => [mode === "rw" ? "--bind" : "--ro-bind", real, path]),
    ...covers.flatMap(({ path, isFolder }) =>
      isFolder
        ? [...["--perms", "0755", "--size", "4096", "--tmpfs", path], ...["--remount-ro", path]]
        : ["--ro-bind", "/dev/null", path],
    ),
    ...bindSecrets(secrets, SANDBOX_HOME, terms.capabilities.length > 0),
    ...(root ? [] : ["--remount-ro", "/"]),
  ];
}

const NAME_FILES = ["/etc/resolv.conf", "/etc/hosts"];

function hasHostNetwork({ namespaces }: RunTerms): boolean {
  return namespaces.includes("net");
}

/**
 * Nothing can be created in a read-only root, so what it has no place for needs another; a place for a workspace would be
 * seen by runs that have none. Capabilities may be enough to write to what all runs share. Whoever clears old temporary
 * files away may have taken a part of it, which changes the directory.
 */
function rootFor({
  isolation: { root },
  terms,
  paths = [],
  workspaceDir = null,
  secrets = [],
}: MountedRun): PreparedRoot | null {
  const opened = [...paths, ...terms.capabilities, ...secrets];
  const isPlain = opened.length === 0 && workspaceDir === null && !hasHostNetwork(terms);
  if (!root || !isPlain) return null;
  return statSync(root.dir, { throwIfNoEntry: false })?.ctimeMs === root.changedMs ? root : null;
}
