import { isDeniedEnv } from "@/lib/skill-format/entry/script-entry";
import type { SkillClass, SkillManifest } from "@/lib/skill-format/schema";
import type { CredentialGrant, Grants } from "./schema";
import { linuxCapability } from "./schema";

/** Time limit when neither the files nor the decision set one. */
export const DEFAULT_TIMEOUT_SECONDS = 30;

/** The grants of a decision that names none: those the files declare, without network. */
export function declaredGrants(manifest: Pick<SkillManifest, "envAllow" | "timeoutSeconds">): Grants {
  return { env: manifest.envAllow, timeoutSeconds: manifest.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS };
}

/** The grants to sign: the given ones over the declared ones, normalised and without duplicates. */
export function settleGrants(
  manifest: Pick<SkillManifest, "envAllow" | "timeoutSeconds">,
  given: Grants | undefined,
): Grants {
  const grants = { ...declaredGrants(manifest), ...withoutUndefined(given ?? {}) };
  return {
    ...grants,
    ...(Array.isArray(grants.network) ? { network: once(grants.network.map((host) => host.toLowerCase())) } : {}),
    ...(grants.env ? { env: once(grants.env) } : {}),
    ...(grants.namespaces
      ? { namespaces: once(grants.namespaces.map((name) => (name === "network" ? "net" : name))) }
      : {}),
    ...(grants.capabilities ? { capabilities: once(grants.capabilities.map(linuxCapability)) } : {}),
  };
}

/** Why these grants cannot be given to this class, with the path of the field; null when they can. */
export function whyNotGrant(decidedClass: SkillClass, grants: Grants): { path: string; message: string } | null {
  const writable = grants.paths?.findIndex((path) => path.mode === "rw") ?? -1;
  if (decidedClass === "safe" && writable >= 0) {
    const message = `a safe skill may only read: grant ${grants.paths?.[writable]?.path} as ro, not as rw`;
    return { path: `grants.paths.${writable}.mode`, message };
  }
  const denied = grants.env?.findIndex(isDeniedEnv) ?? -1;
  if (denied >= 0) {
    return { path: `grants.env.${denied}`, message: `${grants.env?.[denied]} is never passed to skills` };
  }
  return whyNotCredentials(grants);
}

export function timeoutOf(grants: Grants): number {
  return grants.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS;
}

/** The time limit of a run in seconds: the granted one, at most `maxTimeoutSeconds` of the settings. */
export function runTimeLimit(grants: Grants, { maxTimeoutSeconds }: { maxTimeoutSeconds: number }): number {
  return Math.min(timeoutOf(grants), maxTimeoutSeconds);
}

function once<T>(values: T[]): T[] {
  return [...new Set(values)];
}

function withoutUndefined(grants: Grants): Grants {
  return Object.fromEntries(Object.entries(grants).filter(([, value]) => value !== undefined));
}

export const SECRETS_FOLDER = "/run/secrets";

/** Variables that the worker sets itself. */
const SET_BY_WORKER = new Set([
  ...["HOME", "TMPDIR", "SHLVL", "PWD", "PATH", "WORKSPACE"],
  ...["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"],
]);

/** Why these credentials cannot be given, with the path of the field; null when they can. Does not check that they exist. */
function whyNotCredentials({ credentials = [], env = [], paths = [] }: Grants) {
  const problems = credentials.map((grant, index) => {
    const at = (field: keyof CredentialGrant, message: string) => ({
      path: `grants.credentials.${index}.${field}`,
      message,
    });
    const before = credentials.slice(0, index);
    if (before.some(({ as, name }) => as === grant.as && name === grant.name))
      return at("name", `${grant.name} is granted twice as ${grant.as === "env" ? "a variable" : "a file"}`);
    if (
      before.some(
        ({ slot, as, credential }) => slot === grant.slot && as === grant.as && credential === grant.credential,
      )
    )
      return at("slot", `the credential ${grant.credential} is granted twice for ${grant.slot}`);
    if (grant.as === "file") {
      const over = paths.find(({ path }) => path === "/" || `${SECRETS_FOLDER}/`.startsWith(`${path}/`));
      return over ? at("as", `it cannot be a file while the host path ${over.path} is granted`) : null;
    }
    if (isDeniedEnv(grant.name)) return at("name", `${grant.name} is never passed to skills`);
    if (SET_BY_WORKER.has(grant.name.toUpperCase())) return at("name", `the worker sets ${grant.name} itself`);
    if (env.includes(grant.name)) return at("name", `${grant.name} is already granted as an environment variable`);
    return null;
  });
  return problems.find((problem) => problem !== null) ?? null;
}
