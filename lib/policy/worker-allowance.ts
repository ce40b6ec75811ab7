import { z } from "zod";
import type { Grants } from "./grants/schema";

/** What the operator of a worker allows its runs beyond the plain sandbox. Said at registration; the worker enforces it too. */
export const WorkerAllowance = z.object({
  /** Folders of the host that grants of paths may lie in (SKILLGATE_WORKER_PATHS). */
  paths: z.array(z.string().max(4096)).max(200).default([]),
  /** Names of environment variables, or prefixes that end with `*` (SKILLGATE_WORKER_ENV), with the harmless ones. */
  env: z.array(z.string().max(200)).max(500).default([]),
  /** Linux capabilities such as `CAP_NET_RAW` (SKILLGATE_WORKER_LINUX_CAPABILITIES). */
  capabilities: z.array(z.string().max(64)).max(50).default([]),
  /** Namespaces of the host that runs may share, such as `net` (SKILLGATE_WORKER_NAMESPACES). */
  namespaces: z.array(z.string().max(20)).max(20).default([]),
  /** Ranges of addresses beyond the public ones (SKILLGATE_WORKER_RANGES). */
  ranges: z.array(z.string().max(64)).max(200).default([]),
  /** Whether it can give a run a network of its own with a proxy; without it there are no runs with `network`. */
  proxy: z.boolean().default(false),
  /** Whether its isolation can hide parts of the host; without it no run gets anything of the host. */
  hidesHost: z.boolean().default(true),
  /** The server answers on its host, so it shares the host's network with built-ins of the release only. */
  withholdsNetwork: z.boolean().default(false),
});
export type WorkerAllowance = z.infer<typeof WorkerAllowance>;

/** Environment variables that tell nothing of a host: the only ones that need no operator, and no second person. */
export const HARMLESS_ENV = ["PATH", "LANG", "LC_*", "TZ"];

export const ALLOWS_NOTHING: WorkerAllowance = WorkerAllowance.parse({ env: HARMLESS_ENV, hidesHost: false });

/**
 * The Linux capabilities that can be opened at all. Those with which no rule about paths holds (SYS_ADMIN, SYS_PTRACE,
 * SYS_MODULE, SYS_RAWIO, BPF, DAC_*), or with which a run becomes another user, makes devices or finds the host's network
 * through a socket that it was given (NET_ADMIN), are not among them.
 */
export const OPENABLE_CAPABILITIES = new Set([
  "CAP_AUDIT_WRITE",
  "CAP_IPC_LOCK",
  "CAP_KILL",
  "CAP_NET_BIND_SERVICE",
  "CAP_NET_BROADCAST",
  "CAP_NET_RAW",
  "CAP_SYSLOG",
  "CAP_SYS_NICE",
  "CAP_SYS_TIME",
  "CAP_WAKE_ALARM",
]);

/** Whether a name is among some names and prefixes (`LC_*`). */
export function isNamedEnv(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => (pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern));
}

/** One thing that a run is granted and a worker does not allow. */
export type NotAllowed = {
  /** The environment variable of the worker that opens it; null when nothing does. */
  variable: string | null;
  /** What is not allowed, as the object of a sentence: `the path /srv/data`. */
  what: string;
  /** No setting of any worker opens it. */
  isNeverOpened?: true;
};

/**
 * What of these grants this worker does not allow, by the names alone; empty when it allows all of them. Paths are compared
 * as written: the worker resolves links and keeps its own folders hidden by itself. Runs of a built-in of the release are
 * not asked this way; see `notAllowedOfRelease`.
 */
export function notAllowed(allowance: WorkerAllowance, grants: Grants): NotAllowed[] {
  const found: NotAllowed[] = [];
  const refuse = (variable: string | null, what: string) => void found.push({ variable, what });
  for (const { path } of grants.paths ?? []) {
    if (!allowance.paths.some((folder) => isBelow(path, folder))) refuse("SKILLGATE_WORKER_PATHS", `the path ${path}`);
  }
  for (const name of grants.env ?? []) {
    if (!isNamedEnv(name, allowance.env)) refuse("SKILLGATE_WORKER_ENV", `the environment variable ${name}`);
  }
  for (const name of grants.capabilities ?? []) {
    const isOpenable = OPENABLE_CAPABILITIES.has(name);
    if (!isOpenable) {
      found.push({ variable: null, what: `the capability ${name}, which no setting opens`, isNeverOpened: true });
    } else if (!allowance.capabilities.includes(name)) {
      refuse("SKILLGATE_WORKER_LINUX_CAPABILITIES", `the capability ${name}`);
    }
  }
  for (const given of grants.namespaces ?? []) {
    const name = given === "network" ? "net" : given;
    if (allowance.namespaces.includes(name)) continue;
    if (name === "net" && allowance.withholdsNetwork) {
      refuse(null, "the host’s net namespace, in which such a run would reach the server");
    } else refuse("SKILLGATE_WORKER_NAMESPACES", `the host’s ${name} namespace`);
  }
  const sharesNetwork = grants.namespaces?.some((name) => name === "net" || name === "network") ?? false;
  if (wantsNetwork(grants) && !sharesNetwork && !allowance.proxy) {
    refuse(null, "the network, since it cannot give a run a network of its own with a proxy");
  }
  return found;
}

function wantsNetwork({ network }: Grants): boolean {
  return network === true || (Array.isArray(network) && network.length > 0);
}

/** Whether these grants open anything for which a worker's operator is asked. */
export function needsOperator(grants: Grants): boolean {
  return notAllowed(ALLOWS_NOTHING, grants).length > 0;
}

/** A worker, and what of some grants it does not allow. */
export type WorkerRefusal = { name: string; notAllowed: readonly NotAllowed[] };

/**
 * Says to people what each of some workers does not allow of a run, and which variables of theirs open it. `next`: what to
 * do once it is allowed, such as `start the run again`.
 */
export function describeNotAllowed(refusing: readonly WorkerRefusal[], next?: string): string {
  const all = refusing.flatMap(({ notAllowed }) => notAllowed);
  const variables = [...new Set(all.flatMap(({ variable }) => variable ?? []))];
  const each = refusing.map(({ name, notAllowed }) => `“${name}”: ${listed(notAllowed.map(({ what }) => what))}`);
  const [first] = refusing;
  const isOne = first !== undefined && refusing.length === 1;
  const subject = isOne
    ? `The worker “${first.name}” does not allow ${listed(first.notAllowed.map(({ what }) => what))}.`
    : `No worker allows all that this run is granted. Not allowed on ${each.join("; on ")}.`;
  if (all.some(({ isNeverOpened }) => isNeverOpened)) {
    return `${subject} A reviewer has to approve the skill without it.`;
  }
  if (variables.length === 0) return `${subject} Run it on a worker that can.`;
  const operator = isOne ? "Its operator" : "An operator";
  return `${subject} ${operator} can allow it with ${listed(variables)}${next ? `; then ${next}` : ""}.`;
}

function listed(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}

/** Sockets that let a run steer services of the host: also a built-in of the release needs the operator for them. */
const NEEDS_OPERATOR = ["/run/systemd", "/run/dbus"];

/**
 * The same for a built-in of the release, whose approval the release signed: what it names is allowed everywhere, but for
 * sockets that steer services, and the network where no proxy can be built.
 */
export function notAllowedOfRelease(allowance: WorkerAllowance, grants: Grants): NotAllowed[] {
  const opensHost = wantsNetwork(grants) || [grants.paths, grants.capabilities].some((list) => list && list.length > 0);
  if (!allowance.hidesHost && opensHost) {
    return [{ variable: null, what: "anything of its host, since its isolation can hide nothing of it" }];
  }
  const paths = (grants.paths ?? []).filter(({ path }) => NEEDS_OPERATOR.some((socket) => isBelow(path, socket)));
  const { network, namespaces } = grants;
  return notAllowed(
    { ...allowance, namespaces: [...(namespaces ?? [])] },
    { paths, ...(network === undefined ? {} : { network }), ...(namespaces ? { namespaces } : {}) },
  );
}

/** Whether some grants open no more than others do: how server and workers know a built-in of the release. */
export function isWithinGrants(given: Grants, most: Grants): boolean {
  const isWithin = (names: readonly string[] = [], allowed: readonly string[] = []) =>
    names.every((name) => allowed.includes(name));
  const { network } = given;
  return (
    (!wantsNetwork(given) ||
      most.network === true ||
      (Array.isArray(network) && isWithin(network, Array.isArray(most.network) ? most.network : []))) &&
    (given.paths ?? []).every(({ path, mode }) =>
      (most.paths ?? []).some((one) => one.path === path && (one.mode === mode || one.mode === "rw")),
    ) &&
    isWithin(given.namespaces, most.namespaces) &&
    isWithin(given.capabilities, most.capabilities) &&
    (given.env ?? []).every((name) => isNamedEnv(name, [...HARMLESS_ENV, ...(most.env ?? [])]))
  );
}

/** Whether a path is a folder or lies below it, both absolute and without `.` and `..`. */
export function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}
