import { createHash } from "node:crypto";
import type { Role } from "@/lib/core/actor";
import type { Allowance, Permission, Signature } from "@/lib/review/verify/judge-run";
import type { Grants, SkillClass } from "./draw-commands";
import type { Caller } from "./world";

/** The state that the model expects, taken only from answers with status 2xx. */
export type Ledger = {
  settings: ModelSettings;
  roles: Map<string, Role>;
  skills: ModelSkill[];
  runs: { id: string; skillId: string | null }[];
  schedules: { id: string; skillId: string }[];
  workers: Map<string, { isolation: string; allows: Allowance }>;
  trusted: Set<string>;
  leased: Set<string>;
  credentialId: string | null;
};

export type ModelSettings = {
  soloMode: boolean;
  ownerMayApproveSafe: boolean;
  signaturesForDangerous: number;
  signaturesForMutating: number;
  safeWithoutSandbox: boolean;
  mutatingWithoutSandbox: boolean;
  dangerousWithoutSandbox: boolean;
};

export type ModelFile = { path: string; mode: "644" | "755"; text: string };
export type Asks = { env: string[]; timeoutSeconds: number | null; class: SkillClass | null; allowedTools: string[] };

export type ModelSkill = {
  id: string;
  name: string;
  kind: "pack" | "playbook" | "pipeline";
  /** The person who owns it; null for skills of the organisation and of personas. */
  owner: string | null;
  isFromWorker: boolean;
  versions: ModelVersion[];
};

export type ModelVersion = {
  digest: string;
  files: ModelFile[];
  asks: Asks;
  /** All people who wrote, imported or submitted these bytes. */
  authors: Set<string>;
  isDraft: boolean;
  round: { terms: Terms; signature: Signature }[];
  /** A person activated this version again. */
  activatedBack?: boolean;
  /** The approval in force: its terms and all its signers. */
  standing: { terms: Terms; signatures: Signature[]; needed: number; inName: "operator" | null } | null;
};

export type Terms = {
  key: string;
  class: SkillClass;
  highest: SkillClass;
  owner: string | null;
  permissions: Permission[];
};

const RANK: SkillClass[] = ["safe", "mutating", "dangerous"];

export const highest = (...classes: SkillClass[]): SkillClass =>
  classes.reduce((most, next) => (RANK.indexOf(next) > RANK.indexOf(most) ? next : most), "safe");

/** The class without a decision: the declared one. Without a declaration, a playbook with a script is mutating. */
export function ownClass({ asks, files }: Pick<ModelVersion, "asks" | "files">): SkillClass {
  if (asks.class !== null) return asks.class;
  const isPlaybook = !files.some(({ path }) => path === "skill.json");
  return isPlaybook && files.some(({ path }) => path.endsWith(".sh")) ? "mutating" : "safe";
}

/**
 * The terms of an approval with this class, these grants and this entry. Absent values are as declared, except that the network
 * is never granted.
 */
export function termsOf(
  skill: ModelSkill,
  version: ModelVersion,
  given: { class?: SkillClass | undefined; grants?: Grants | undefined; entry?: { path: string } | null | undefined },
): Terms {
  const chosen = given.class ?? ownClass(version);
  const permissions = permissionsOf(
    {
      ...given.grants,
      env: given.grants?.env ?? version.asks.env,
      timeoutSeconds: given.grants?.timeoutSeconds ?? version.asks.timeoutSeconds ?? 30,
    },
    given.entry?.path ?? null,
  );
  const key = JSON.stringify([chosen, permissions.map(({ kind, name }) => `${kind} ${name}`).sort()]);
  return { key, class: chosen, highest: highest(chosen, ownClass(version)), owner: skill.owner, permissions };
}

function permissionsOf(grants: Grants, entry: string | null): Permission[] {
  const { network, namespaces = [], capabilities = [], paths = [], credentials = [], env = [], tools = [] } = grants;
  const all: Permission[] = [];
  const add = (kind: Permission["kind"], ...names: string[]) => {
    for (const name of names) all.push({ kind, name });
  };
  if (network === true) add("network", "all");
  if (Array.isArray(network)) add("host", ...network);
  add("namespace", ...namespaces.map((name) => (name === "network" ? "net" : name)));
  add("capability", ...capabilities);
  add("path", ...paths.map(({ path, mode }) => `${path} ${mode}`));
  add("credential", ...credentials.map(({ credential, as, name }) => `${credential} as ${as} ${name}`));
  add("env", ...env);
  add("tool", ...tools);
  if (grants.workspace) add("workspace", "");
  if (grants.scripts) add("scripts", "");
  if (grants.timeoutSeconds !== undefined) add("time", String(grants.timeoutSeconds));
  if (entry !== null) add("entry", entry);
  return all;
}

/** What the files request, granted or not. */
export function askedBy({ env, timeoutSeconds, allowedTools }: Asks): Permission[] {
  return permissionsOf({ env, tools: allowedTools, timeoutSeconds: timeoutSeconds ?? 30 }, null);
}

/** A signature with the current role, token and settings of its signer. */
export function signatureOf({ settings, roles }: Ledger, caller: Caller): Signature {
  const isReviewer = roles.get(caller.userId) !== "user";
  return {
    signer: caller.userId,
    hadRole: isReviewer && !caller.byAgent && (caller.scopes === null || caller.scopes.includes("review")),
    byAgent: caller.byAgent,
    inPerson: caller.inPerson,
    soloMode: settings.soloMode,
    ownersMayApprove: settings.ownerMayApproveSafe,
  };
}

/** Signatures that the current settings require. */
export function neededNow({ settings }: Ledger, of: SkillClass): number {
  if (settings.soloMode || of === "safe") return 1;
  return of === "dangerous" ? settings.signaturesForDangerous : settings.signaturesForMutating;
}

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
