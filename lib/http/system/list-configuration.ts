import { EnvSchema, getEnv } from "@/lib/core/env";
import type { System } from "./schema";

/** A database's address holds its password; a person's first password is one. */
const SECRET = /SECRET|PASSWORD$|TOKEN|_KEY$|^DATABASE_URL$/;

/** The environment that this process was started with, in the order of its reference. */
export function listConfiguration(environment: Record<string, string | undefined>): System["configuration"] {
  const env: Record<string, unknown> = getEnv();
  return Object.entries(EnvSchema.shape).map(([name, field]) => {
    const isSecret = SECRET.test(name);
    const value = env[name];
    return {
      name,
      description: field.description ?? "",
      isSet: (environment[name] ?? "") !== "",
      isSecret,
      value: isSecret || value === undefined || value === "" ? null : String(value),
    };
  });
}
