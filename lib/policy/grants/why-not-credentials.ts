import { isDeniedEnv } from "@/lib/skill-format/entry/script-entry";
import type { CredentialGrant, Grants } from "./schema";

/** Where credentials lie that a run gets as files. */
export const SECRETS_FOLDER = "/run/secrets";

/** Variables that a worker sets itself, for every run or for one with a proxy. */
const SET_BY_WORKER = new Set([
  ...["HOME", "TMPDIR", "SHLVL", "PWD", "PATH", "WORKSPACE"],
  ...["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"],
]);

/** Why these credentials cannot be given, with the place; null when they can. Whether they exist is not looked at. */
export function whyNotCredentials({ credentials = [], env = [], paths = [] }: Grants) {
  const problems = credentials.map((grant, index) => {
    const at = (field: keyof CredentialGrant, message: string) => ({
      path: `grants.credentials.${index}.${field}`,
      message,
    });
    const before = credentials.slice(0, index);
    if (before.some(({ as, name }) => as === grant.as && name === grant.name))
      return at("name", `${grant.name} is given twice as ${grant.as === "env" ? "a variable" : "a file"}`);
    if (
      before.some(
        ({ slot, as, credential }) => slot === grant.slot && as === grant.as && credential === grant.credential,
      )
    )
      return at("slot", `the credential ${grant.credential} is given twice for ${grant.slot}`);
    if (grant.as === "file") {
      const over = paths.find(({ path }) => path === "/" || `${SECRETS_FOLDER}/`.startsWith(`${path}/`));
      return over ? at("as", `it cannot be a file while the path ${over.path} of the host is given`) : null;
    }
    if (isDeniedEnv(grant.name)) return at("name", `${grant.name} is never handed to skills`);
    if (SET_BY_WORKER.has(grant.name.toUpperCase())) return at("name", `${grant.name} is set by the worker`);
    if (env.includes(grant.name)) return at("name", `${grant.name} is given as a variable of the worker already`);
    return null;
  });
  return problems.find((problem) => problem !== null) ?? null;
}
