import type { Diagnostic, JsonObject, SkillManifest } from "@/lib/skill-format/schema";

/** What one file of a skill says: only the fields that it sets, and everything it has beside them. */
export type SkillPart = {
  fields: Partial<Omit<SkillManifest, "meta">>;
  meta: JsonObject;
  diagnostics: Diagnostic[];
};

/** The fields without those that a file leaves unsaid, so that a later spread does not erase what another file says. */
export function saidFields<T extends Record<string, unknown>>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };
}
