import { z } from "zod";
import type { SkillClass } from "@/lib/skill-format/schema";
import type { Grants } from "./grants/schema";

/** Permissions beyond the plain sandbox that a worker's operator allows. Sent at registration; the worker enforces it too. */
export const WorkerAllowance = z.object({
  /** Host folders below which paths may be granted (SKILLGATE_WORKER_PATHS). */
  paths: z.array(z.string().max(4096)).max(200).default([]),
  /** Names of environment variables, or prefixes ending with `*`, including harmless ones (SKILLGATE_WORKER_ENV). */
  env: z.array(z.string().max(200)).max(500).default([]),
  /** Linux capabilities (SKILLGATE_WORKER_LINUX_CAPABILITIES). */
  capabilities: z.array(z.string().max(64)).max(50).default([]),
  /** Host namespaces that runs may share (SKILLGATE_WORKER_NAMESPACES). */
  namespaces: z.array(z.string().max(20)).max(20).default([]),
  /** Address ranges beyond the public ones (SKILLGATE_WORKER_RANGES). */
  ranges: z.array(z.string().max(64)).max(200).default([]),
  /** The worker can give a run its own network with a proxy; otherwise it accepts no runs with `network`. */
  proxy: z.boolean().default(false),
  /** The isolation can hide parts of the host; otherwise runs get nothing of the host. */
  hidesHost: z.boolean().default(true),
  /** The server runs on the same host, so only built-ins of the release may share the host's network. */
  withholdsNetwork: z.boolean().default(false),
});
export type WorkerAllowance = z.infer<typeof WorkerAllowance>;

/** Environment variables that reveal nothing about a host; granting them needs neither an operator nor a second person. */
export const HARMLESS_ENV = ["PATH", "LANG", "LC_*", "TZ"];

export const ALLOWS_NOTHING: WorkerAllowance = WorkerAllowance.parse({ env: HARMLESS_ENV, hidesHost: false });

/**
 * Linux capabilities that an operator can allow. Excluded are those that bypass path rules (SYS_ADMIN, SYS_PTRACE, SYS_MODULE,
 * SYS_RAWIO, BPF, DAC_*), and those that change the user, make devices or reach the host's network through an inherited socket
 * (NET_ADMIN).
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

export function isNamedEnv(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => (pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern));
}

export type NotAllowed = {
  /** The worker's environment variable that allows it; null when none does. */
  variable: string | null;
  /** A noun phrase: `the path /srv/data`. */
  what: string;
  /** No setting of any worker allows it. */
  isNeverOpened?: true;
};

/** The grants that this worker does not allow, by name; paths as written. For built-ins see `notAllowedOfRelease`. */
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
      found.push({ variable: null, what: `the capability ${name}, which no setting allows`, isNeverOpened: true });
    } else if (!allowance.capabilities.includes(name)) {
      refuse("SKILLGATE_WORKER_LINUX_CAPABILITIES", `the capability ${name}`);
    }
  }
  for (const given of grants.namespaces ?? []) {
    const name = given === "network" ? "net" : given;
    if (allowance.namespaces.includes(name)) continue;
    if (name === "net" && allowance.withholdsNetwork) {
      refuse(null, "the host’s net namespace, from which such a run could reach the server");
    } else refuse("SKILLGATE_WORKER_NAMESPACES", `the host’s ${name} namespace`);
  }
  if (wantsNetwork(grants) && !sharesNetwork(grants) && !allowance.proxy) {
    refuse(null, "the network, since it cannot give a run a network of its own with a proxy");
  }
  return found;
}

/** Whether runs use the host's network, without the worker's proxy. */
export function sharesNetwork({ namespaces = [] }: Grants): boolean {
  return namespaces.some((name) => name === "net" || name === "network");
}

function wantsNetwork({ network }: Grants): boolean {
  return network === true || (Array.isArray(network) && network.length > 0);
}

/** Whether these grants need the permission of a worker's operator. */
export function needsOperator(grants: Grants): boolean {
  return notAllowed(ALLOWS_NOTHING, grants).length > 0;
}

export type WorkerRefusal = { name: string; notAllowed: readonly NotAllowed[] };

/** A sentence: what each worker refuses and which variables allow it. `next`: a step such as `start the run again`. */
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

/** Sockets that control services of the host; even built-ins of the release need the operator's permission for them. */
const NEEDS_OPERATOR = ["/run/systemd", "/run/dbus"];

/** For built-ins: all they name is allowed, except sockets that control services, and the network without a proxy. */
export function notAllowedOfRelease(allowance: WorkerAllowance, grants: Grants): NotAllowed[] {
  const opensHost = wantsNetwork(grants) || [grants.paths, grants.capabilities].some((list) => list && list.length > 0);
  if (!allowance.hidesHost && opensHost) {
    return [{ variable: null, what: "access to its host, since its isolation can hide nothing of it" }];
  }
  const paths = (grants.paths ?? []).filter(({ path }) => NEEDS_OPERATOR.some((socket) => isBelow(path, socket)));
  const { network, namespaces } = grants;
  return notAllowed(
    { ...allowance, namespaces: [...(namespaces ?? [])] },
    { paths, ...(network === undefined ? {} : { network }), ...(namespaces ? { namespaces } : {}) },
  );
}

/** Whether some grants stay within others. Server and workers use it to recognise built-ins of the release. */
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

/** Whether a path is a folder or inside it; both absolute, without `.` and `..`. */
export function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}

/** Weakest first: none; own user id with limits; namespaces by system programs; bubblewrap with a syscall filter. */
export const Isolation = z.enum(["none", "process", "namespaces", "sandbox"]);
export type Isolation = z.infer<typeof Isolation>;

const ENOUGH: Record<Isolation, Record<SkillClass, boolean>> = {
  none: { safe: false, mutating: false, dangerous: false },
  process: { safe: true, mutating: false, dangerous: false },
  namespaces: { safe: true, mutating: true, dangerous: true },
  sandbox: { safe: true, mutating: true, dangerous: true },
};

/** Whether runs of a class may use such a worker without a setting that allows it. */
export function isIsolatedEnough(isolation: Isolation, skillClass: SkillClass): boolean {
  return ENOUGH[isolation][skillClass];
}

/** The weakest of several levels; `none` for an empty list. */
export function weakestIsolation(several: Isolation[]): Isolation {
  return Isolation.options.find((level) => several.includes(level)) ?? "none";
}
