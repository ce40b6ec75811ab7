import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { isBelow } from "@/lib/policy/worker-allowance";

/** A folder or file of the host that no run sees, by its real path. */
export type HiddenPlace = { path: string; isFolder: boolean };

/** Variables that name a file with a secret; others, such as SSL_CERT_FILE, name files that runs need. */
const SECRET_FILE = /^(SKILLGATE_\w+|DATABASE_URL|\w*(SECRET|PASSWORD|TOKEN|KEY))_FILE$/;

/** Places that no run may see, from a remote worker's environment: folders of a server, files of secrets, its token. */
export function hiddenOf(env: Record<string, string | undefined>, tokenFile?: string): string[] {
  const data = env.SKILLGATE_DATA;
  const folders = [data, env.SKILLGATE_KEYS, env.SKILLGATE_BACKUPS].flatMap((path) => path || []);
  const backups = data ? [backupsBeside(resolve(data))] : [];
  const files = Object.entries(env).flatMap(([name, path]) => (SECRET_FILE.test(name) && path ? [path] : []));
  const sockets = ["DOCKER_HOST", "CONTAINER_HOST"].flatMap(
    (name) => /^unix:\/\/(\/.+)/.exec(env[name] ?? "")?.[1] ?? [],
  );
  return [...folders, ...backups, ...files, ...(tokenFile ? [tokenFile] : []), ...sockets].map((path) => resolve(path));
}

function backupsBeside(dataDir: string): string {
  return join(dirname(dataDir), `${basename(dataDir)}-backups`);
}

/** Sockets through which a program on the host can become root. */
const CONTAINER_SOCKETS = [
  ...[
    "docker.sock",
    "docker",
    "containerd",
    "podman",
    "crio",
    "k3s",
    "k0s",
    "buildkit",
    "dockershim.sock",
    "cri-dockerd.sock",
  ],
  ...["balena-engine.sock", "incus", "lxd"],
];
const OTHER_SOCKETS = ["/var/lib/lxd", "/var/lib/incus", "/var/snap/lxd/common/lxd"];
/** File systems that expose the kernel or processes of the host. */
const KERNEL_TYPES = /^(proc|sysfs|cgroup2?|debugfs|tracefs|securityfs|bpf|pstore|configfs|efivarfs|selinuxfs)$/;

/**
 * All places that no run may see: the configured ones, through every mount that leads to them, container sockets, and the
 * kernel's file systems wherever they are mounted. Missing ones are left out.
 */
export function findHidden(configured: string[], mountTable = readMounts()): HiddenPlace[] {
  const mounts = parseMounts(mountTable);
  const named = [...configured, ...listSockets()].flatMap(realPlace);
  const kernel = [
    ...mounts.filter(({ type }) => KERNEL_TYPES.test(type)).map(({ at }) => at),
    ...["/proc", "/sys"],
  ].flatMap(realPlace);
  const elsewhere = named.flatMap(({ path }) => otherMountsOf(path, mounts)).flatMap(realPlace);
  const all = [...named, ...kernel, ...elsewhere];
  const isCovered = ({ path }: HiddenPlace) => all.some((one) => one.path !== path && isBelow(path, one.path));
  const outermost = all.filter((place) => !isCovered(place));
  return [...new Map(outermost.map((place) => [place.path, place])).values()];
}

function readMounts(): string {
  try {
    return readFileSync("/proc/self/mountinfo", "utf8");
  } catch {
    return "";
  }
}

function listSockets(): string[] {
  const users = list("/run/user").map((uid) => join("/run/user", uid));
  const bases = ["/run", "/var/run", ...users];
  return [...bases.flatMap((base) => CONTAINER_SOCKETS.map((name) => join(base, name))), ...OTHER_SOCKETS];
}

function list(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}

function realPlace(path: string): HiddenPlace[] {
  try {
    const real = realpathSync.native(path);
    return [{ path: real, isFolder: statSync(real).isDirectory() }];
  } catch {
    return [];
  }
}

type Mount = { device: string; root: string; at: string; type: string };

function parseMounts(table: string): Mount[] {
  return table.split("\n").flatMap((line) => {
    const [head = "", tail = ""] = line.split(" - ");
    const [, , device, root, at] = head.split(" ").map(decodeOctal);
    const type = tail.split(" ")[0] ?? "";
    return device && root && at ? [{ device, root, at, type }] : [];
  });
}

function decodeOctal(field: string): string {
  return field.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}

/** Other paths of the host that show the same files, or a part of them, because a folder was mounted there too. */
function otherMountsOf(path: string, mounts: Mount[]): string[] {
  const holding = mounts.filter(({ at }) => isBelow(path, at));
  const own = holding.reduce<Mount | null>((best, one) => (best && best.at.length > one.at.length ? best : one), null);
  if (own === null) return [];
  const inside = join(own.root, relative(own.at, path));
  return mounts.flatMap(({ device, root, at }) => {
    if (device !== own.device) return [];
    if (isBelow(inside, root)) return [join(at, relative(root, inside))];
    return isBelow(root, inside) ? [at] : [];
  });
}

/** A granted path as the run sees it (`path`), and its real path on the host. */
export type OpenedPath = { path: string; real: string; mode: "ro" | "rw" };

type Shown = { system: { dirs: string[]; hidden?: HiddenPlace[] } };

/** Places to cover below the system directories that every run sees, and below the paths that this run was granted. */
export function coversFor(
  { system }: Shown,
  { paths, hidden }: { paths: OpenedPath[]; hidden: HiddenPlace[] },
  uid: number | null,
): HiddenPlace[] {
  const dirs = system.dirs.map((path): OpenedPath => ({ path, real: path, mode: "ro" }));
  return [...coversBelow(dirs, system.hidden ?? [], uid), ...coversBelow(paths, hidden, uid)];
}

/** The configured places that are inside directories that every run sees. */
export function hiddenInSystem({ system }: Shown, configured: string[]): HiddenPlace[] {
  return findHidden(configured).filter(({ path }) => system.dirs.some((dir) => isBelow(path, dir)));
}

/** Places to cover below granted paths. `uid` mounts (null: root); a folder that it may not enter is covered as a whole. */
export function coversBelow(opened: OpenedPath[], hidden: HiddenPlace[], uid: number | null): HiddenPlace[] {
  const found = opened.flatMap(({ path, real }) =>
    hidden
      .filter((place) => place.path !== real && isBelow(place.path, real))
      .map((place) => (uid === null ? place : reachable(place, real, uid)))
      .map((place) => ({ ...place, path: join(path, relative(real, place.path)) })),
  );
  return [...new Map(found.map((place) => [place.path, place])).values()];
}

function reachable(place: HiddenPlace, from: string, uid: number): HiddenPlace {
  let at = from;
  for (const part of relative(from, place.path).split("/").slice(0, -1)) {
    at = join(at, part);
    if (!canEnter(at, uid)) return { path: at, isFolder: true };
  }
  return place;
}

function canEnter(dir: string, uid: number): boolean {
  const { mode, uid: owner, gid } = statSync(dir);
  if (owner === uid) return (mode & 0o100) !== 0;
  return (mode & (gid === uid ? 0o010 : 0o001)) !== 0;
}

/** A path of the host with its links resolved, or unchanged when that fails. */
export function realOr(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
