/**
 * Independent check of a started run's permissions. Written from the rules and sharing no code with `lib/policy`; used
 * by the model-based test and `npm run verify-approval -- --runs`.
 */

/** A permission beyond the plain sandbox, identified by kind and name. */
export type Permission = {
  kind:
    | "network"
    | "host"
    | "path"
    | "env"
    | "namespace"
    | "capability"
    | "credential"
    | "workspace"
    | "time"
    | "entry"
    | "tool"
    | "scripts";
  /** Paths end with their mode: `/srv/data ro`. Time limits are in seconds. */
  name: string;
};

/** A signature with the facts at the time of signing; null means unknown. */
export type Signature = {
  signer: string;
  hadRole: boolean | null;
  byAgent: boolean;
  inPerson: boolean | null;
  soloMode: boolean;
  /** Whether owners could approve their own safe skills. */
  ownersMayApprove: boolean | null;
};

/** What the worker's operator allows beyond the plain sandbox, as registered. */
export type Allowance = {
  paths: string[];
  env: string[];
  capabilities: string[];
  namespaces: string[];
  proxy: boolean;
};

export type JudgedRun = {
  given: Permission[];
  asked: Permission[];
  signed: Permission[];
  class: string;
  /** The person behind the run, also for agents and schedules; null for none. */
  caller: string | null;
  owner: string | null;
  /** People who wrote, imported or submitted the bytes. */
  authors: string[];
  signatures: Signature[];
  /** Signatures required at the time of the last one. */
  needed: number;
  /** Set for automatic approvals. */
  inName: "release" | "operator" | "instance" | null;
  isolation: string;
  allows: Allowance | null;
};

const PLAIN_SECONDS = 30;
const HARMLESS = /^(PATH|LANG|TZ|LC_.*)$/;
const ISOLATED = new Set(["namespaces", "sandbox"]);
/** These capabilities defeat path rules, so that no setting allows them. */
const NEVER = /^CAP_(SYS_ADMIN|SYS_PTRACE|SYS_MODULE|SYS_RAWIO|BPF|DAC_.*)$/;
const SERVICE_SOCKETS = ["/run/systemd", "/run/dbus"];

/** Violations of a started run, one clause each. */
export function judgeRun(run: JudgedRun): string[] {
  return [...judgeSignatures(run), ...judgeTerms(run), ...judgeAllowance(run)];
}

export function beyondPlain(permissions: Permission[]): Permission[] {
  return permissions.filter(({ kind, name }) => {
    if (kind === "env") return !HARMLESS.test(name);
    return kind !== "time" || Number(name) > PLAIN_SECONDS;
  });
}

/** The number of eligible signers: authors and the owner count only in solo mode. */
export function countOthers({ signatures, owner, authors }: Pick<JudgedRun, "signatures" | "owner" | "authors">) {
  const excluded = new Set([...authors, ...(owner === null ? [] : [owner])]);
  const counted = signatures.filter(
    ({ signer, hadRole, byAgent, soloMode }) => !byAgent && hadRole !== false && (soloMode || !excluded.has(signer)),
  );
  return new Set(counted.map(({ signer }) => signer)).size;
}

function judgeSignatures(run: JudgedRun): string[] {
  const others = countOthers(run);
  if (run.inName === "instance") return judgeForeign(run);
  if (run.inName !== null || others >= run.needed) return [];
  const self = run.signatures.find(
    (one) => one.signer === run.owner && !one.byAgent && one.inPerson !== false && one.ownersMayApprove !== false,
  );
  if (self === undefined || run.class !== "safe") {
    return [`it has ${others} of the ${run.needed} required signatures of other people`];
  }
  const more = [...new Set(beyondPlain([...run.signed, ...run.asked]).map(describePermission))];
  const isWeak = !ISOLATED.has(run.isolation);
  return [
    ...(more.length > 0 ? [`only its owner signed ${more.join(", ")}`] : []),
    ...(run.caller === run.owner ? [] : ["only its owner signed it, for their own use, and another person ran it"]),
    ...(isWeak ? [`only its owner signed it and it ran with the isolation “${run.isolation}”`] : []),
  ];
}

/** Another instance stands for people here only inside the plain sandbox. */
function judgeForeign(run: JudgedRun): string[] {
  const more = [...new Set(beyondPlain([...run.signed, ...run.asked]).map(describePermission))];
  return [
    ...(run.class === "safe" ? [] : ["only another instance signed it, and it is not safe"]),
    ...(more.length > 0 ? [`only another instance signed ${more.join(", ")}`] : []),
  ];
}

function judgeTerms({ given, signed }: JudgedRun): string[] {
  const limit = Math.max(
    PLAIN_SECONDS,
    ...signed.filter(({ kind }) => kind === "time").map(({ name }) => Number(name)),
  );
  const isSigned = (permission: Permission) =>
    permission.kind === "time"
      ? Number(permission.name) <= limit
      : signed.some(({ kind, name }) => kind === permission.kind && name === permission.name);
  const more = beyondPlain(given).filter((permission) => !isSigned(permission));
  return more.length === 0
    ? []
    : [`it got ${more.map(describePermission).join(", ")}, which is not in the signed terms`];
}

function judgeAllowance({ given, allows, inName }: JudgedRun): string[] {
  if (allows === null) return [];
  const sharesNetwork = given.some(({ kind, name }) => kind === "namespace" && name === "net");
  const isAllowed = ({ kind, name }: Permission): boolean => {
    const path = name.replace(/ r[ow]$/, "");
    if (inName === "release" && kind !== "network" && kind !== "host") {
      return kind !== "path" || !isIn(path, SERVICE_SOCKETS) || isIn(path, allows.paths);
    }
    if (kind === "network" || kind === "host") return sharesNetwork || allows.proxy;
    if (kind === "path") return isIn(path, allows.paths);
    if (kind === "env") return allows.env.some((known) => covers(known, name));
    if (kind === "namespace") return allows.namespaces.includes(name);
    return kind !== "capability" || (allows.capabilities.includes(name) && !NEVER.test(name));
  };
  const refused = beyondPlain(given).filter((permission) => !isAllowed(permission));
  return refused.length === 0
    ? []
    : [`its worker’s operator does not allow ${refused.map(describePermission).join(", ")}`];
}

function isIn(path: string, folders: string[]): boolean {
  return folders.some((folder) => path === folder || path.startsWith(`${folder.replace(/\/$/, "")}/`));
}

function covers(pattern: string, name: string): boolean {
  return pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : pattern === name;
}

function describePermission({ kind, name }: Permission): string {
  if (kind === "workspace" || kind === "scripts") return kind;
  if (kind === "network") return "the whole network";
  return kind === "time" ? `a time limit of ${name} s` : `the ${kind} ${name}`;
}
