/**
 * An independent judgement on what a started run was given: written from the rules themselves, it shares no code with
 * `lib/policy`. The model-based test and `npm run verify-approval -- --runs` both ask it.
 */

/** One thing that a run reaches beyond the plain sandbox. Equal kind and name are the same permission. */
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
  /** A path has its mode behind it: `/srv/data ro`. A time limit is in seconds. */
  name: string;
};

/** One person's signature, with what was true when it was made. */
export type Signature = {
  signer: string;
  /** Null: not known any more. */
  hadRole: boolean | null;
  /** Made by an agent's token. */
  byAgent: boolean;
  /** Made in a session and not by a token; null: not known. */
  inPerson: boolean | null;
  soloMode: boolean;
  /** Whether owners could approve safe skills of their own then; null: not known. */
  ownersMayApprove: boolean | null;
};

/** What the operator of a worker allows beyond the plain sandbox, as the worker said at its registration. */
export type Allowance = {
  paths: string[];
  env: string[];
  capabilities: string[];
  namespaces: string[];
  proxy: boolean;
};

export type JudgedRun = {
  given: Permission[];
  /** What the files ask for, granted or not. */
  asked: Permission[];
  /** What the signed subject names. */
  signed: Permission[];
  class: string;
  /** The person who asked for the run, or whose agent or schedule did; null for none. */
  caller: string | null;
  /** The person the skill belongs to; null for the organisation's. */
  owner: string | null;
  /** People who wrote, brought in or handed in the bytes. */
  authors: string[];
  signatures: Signature[];
  /** People who had to sign, when the last signature was made. */
  needed: number;
  /** In whose name it was approved, when no person had to. */
  inName: "release" | "operator" | null;
  isolation: string;
  /** Null: not known. */
  allows: Allowance | null;
};

const PLAIN_SECONDS = 30;
const HARMLESS = /^(PATH|LANG|TZ|LC_.*)$/;
const ISOLATED = new Set(["namespaces", "sandbox"]);
/** With these no rule about paths holds; no setting opens them. */
const NEVER = /^CAP_(SYS_ADMIN|SYS_PTRACE|SYS_MODULE|SYS_RAWIO|BPF|DAC_.*)$/;
const SERVICE_SOCKETS = ["/run/systemd", "/run/dbus"];

/** What is wrong with a started run, one sentence each; empty when every permission was signed and allowed. */
export function judgeRun(run: JudgedRun): string[] {
  return [...judgeSignatures(run), ...judgeTerms(run), ...judgeAllowance(run)];
}

/** The permissions that are more than the plain sandbox has. */
export function beyondPlain(permissions: Permission[]): Permission[] {
  return permissions.filter(({ kind, name }) => {
    if (kind === "env") return !HARMLESS.test(name);
    return kind !== "time" || Number(name) > PLAIN_SECONDS;
  });
}

/** How many different people signed whom the rules do not exclude: none of the authors, not the owner, except in solo mode. */
export function countOthers({ signatures, owner, authors }: Pick<JudgedRun, "signatures" | "owner" | "authors">) {
  const excluded = new Set([...authors, ...(owner === null ? [] : [owner])]);
  const counted = signatures.filter(
    ({ signer, hadRole, byAgent, soloMode }) => !byAgent && hadRole !== false && (soloMode || !excluded.has(signer)),
  );
  return new Set(counted.map(({ signer }) => signer)).size;
}

function judgeSignatures(run: JudgedRun): string[] {
  const others = countOthers(run);
  if (run.inName !== null || others >= run.needed) return [];
  const self = run.signatures.find(
    (one) => one.signer === run.owner && !one.byAgent && one.inPerson !== false && one.ownersMayApprove !== false,
  );
  if (self === undefined || run.class !== "safe") {
    return [`it has ${others} of the ${run.needed} signatures of other people that it needs`];
  }
  const more = [...new Set(beyondPlain([...run.signed, ...run.asked]).map(describePermission))];
  const isWeak = !ISOLATED.has(run.isolation);
  return [
    ...(more.length > 0 ? [`its owner alone signed ${more.join(", ")}`] : []),
    ...(run.caller === run.owner ? [] : ["its owner alone signed it, for their own use, and another person ran it"]),
    ...(isWeak ? [`its owner alone signed it and it ran with the isolation “${run.isolation}”`] : []),
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
    : [`it got ${more.map(describePermission).join(", ")}, which is not in what was signed`];
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
