import { z } from "zod";
import type { Permission, Signature } from "./judge-run";

/** Separate from the product's schema because the check must not share code with it. */
const Grants = z.object({
  network: z.union([z.boolean(), z.array(z.string())]).optional(),
  scripts: z.boolean().optional(),
  tools: z.array(z.string()).optional(),
  env: z.array(z.string()).optional(),
  paths: z.array(z.object({ path: z.string(), mode: z.string() })).optional(),
  namespaces: z.array(z.string()).optional(),
  capabilities: z.array(z.string()).optional(),
  credentials: z.array(z.object({ credential: z.string(), as: z.string(), name: z.string() })).optional(),
  workspace: z.boolean().optional(),
  timeoutSeconds: z.number().optional(),
});

export const Subject = z.object({
  skillId: z.string(),
  owner: z.string(),
  versionDigest: z.string(),
  class: z.string(),
  entry: z.string().nullable(),
  grants: Grants,
  limits: z.object({ timeoutSeconds: z.number() }),
  call: z.unknown().optional(),
});
export type Subject = z.infer<typeof Subject>;

export const Statement = z.object({
  decisionId: z.string(),
  subject: z.string(),
  versionDigest: z.string(),
  signer: z.object({ id: z.string(), name: z.string() }),
  at: z.iso.datetime(),
  needed: z.number().int(),
  soloMode: z.boolean(),
  /** The signer's right; missing in statements of earlier releases. */
  basis: z.string().optional(),
});
export type Statement = z.infer<typeof Statement>;

const Manifest = z.object({
  envAllow: z.array(z.string()).catch([]),
  timeoutSeconds: z.number().nullable().catch(null),
  allowedTools: z.array(z.string()).nullable().catch(null),
});

export function permissionsOfSubject({ grants, limits, entry, call }: Subject): Permission[] {
  const { network, namespaces = [], capabilities = [], paths = [], credentials = [], env = [], tools = [] } = grants;
  const named = (kind: Permission["kind"], names: string[]) => names.map((name): Permission => ({ kind, name }));
  return [
    ...named("network", network === true ? ["all"] : []),
    ...named("host", Array.isArray(network) ? network : []),
    ...named(
      "namespace",
      namespaces.map((name) => (name === "network" ? "net" : name)),
    ),
    ...named("capability", capabilities),
    ...named(
      "path",
      paths.map(({ path, mode }) => `${path} ${mode}`),
    ),
    ...named(
      "credential",
      credentials.map(({ credential, as, name }) => `${credential} as ${as} ${name}`),
    ),
    ...named("env", env),
    ...named("tool", tools),
    ...named("workspace", grants.workspace ? [""] : []),
    ...named("scripts", grants.scripts ? [""] : []),
    ...named("time", [String(limits.timeoutSeconds)]),
    ...named("entry", call === undefined || entry === null ? [] : [entry]),
  ];
}

export function permissionsAsked(manifest: string): Permission[] {
  const { envAllow, timeoutSeconds, allowedTools } = Manifest.parse(JSON.parse(manifest));
  return [
    ...envAllow.map((name): Permission => ({ kind: "env", name })),
    ...(allowedTools ?? []).map((name): Permission => ({ kind: "tool", name })),
    ...(timeoutSeconds === null ? [] : [{ kind: "time" as const, name: String(timeoutSeconds) }]),
  ];
}

/** Statements without `basis` use the signer's current role, because the database does not keep former roles. */
export function signatureOf({ signer, soloMode, basis }: Statement, roleNow: string | null): Signature {
  const hadRole = basis === undefined ? roleNow === "reviewer" || roleNow === "admin" : basis !== "own";
  return { signer: signer.id, hadRole, byAgent: false, inPerson: null, soloMode, ownersMayApprove: null };
}

/** The person of an owner key; null for the organisation and personas. */
export function ownerOf(ownerKey: string): string | null {
  const [kind, , person] = ownerKey.split(":");
  if (kind === "integration") return person === undefined || person === "org" ? null : person;
  return ownerKey === "org" || kind === "persona" ? null : ownerKey;
}
