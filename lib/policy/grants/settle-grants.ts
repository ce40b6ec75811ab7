import { isDeniedEnv } from "@/lib/skill-format/entry/script-entry";
import type { SkillClass, SkillManifest } from "@/lib/skill-format/schema";
import { linuxCapability } from "./linux-capabilities";
import type { Grants } from "./schema";
import { whyNotCredentials } from "./why-not-credentials";

/** The time limit of a run when neither the files nor the decision name one. */
export const DEFAULT_TIMEOUT_SECONDS = 30;

/** What a decision gives that names no grants: what the files declare, and never network. */
export function declaredGrants(manifest: Pick<SkillManifest, "envAllow" | "timeoutSeconds">): Grants {
  return { env: manifest.envAllow, timeoutSeconds: manifest.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS };
}

/** The grants that are signed: what was given over what is declared, each name in one spelling and once. */
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

/** Why these grants cannot be given to this class, with the place; null when they can. */
export function whyNotGrant(decidedClass: SkillClass, grants: Grants): { path: string; message: string } | null {
  const writable = grants.paths?.findIndex((path) => path.mode === "rw") ?? -1;
  if (decidedClass === "safe" && writable >= 0) {
    const message = `a safe skill only reads: ${grants.paths?.[writable]?.path} can be given to it as ro, not as rw`;
    return { path: `grants.paths.${writable}.mode`, message };
  }
  const denied = grants.env?.findIndex(isDeniedEnv) ?? -1;
  if (denied >= 0) {
    return { path: `grants.env.${denied}`, message: `${grants.env?.[denied]} is never handed to skills` };
  }
  return whyNotCredentials(grants);
}

/** The time limit of a run under these grants, in seconds. */
export function timeoutOf(grants: Grants): number {
  return grants.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS;
}

function once<T>(values: T[]): T[] {
  return [...new Set(values)];
}

function withoutUndefined(grants: Grants): Grants {
  return Object.fromEntries(Object.entries(grants).filter(([, value]) => value !== undefined));
}
