import type { Diagnostic, JsonObject, SkillManifest } from "@/lib/skill-format/schema";
import type { Requirements } from "../schema";

/** Names of the manifest's fields that hold a given type. */
type FieldsOf<T> = { [K in keyof SkillManifest]: SkillManifest[K] extends T ? K : never }[keyof SkillManifest];
type RequirementList = { [K in keyof Requirements]: Requirements[K] extends string[] ? K : never }[keyof Requirements];

/** What a value must be, and how it is read; `read-kinds.ts` has one reader for each. */
type Target =
  /** A text, taken from the source; `prose` also takes back what YAML cut off at a ` #`. */
  | { kind: "text" | "prose" | "textOrJson"; to: FieldsOf<string | null> }
  /** A text, or what YAML made of `[file] [language]`. */
  | { kind: "hint"; to: "argumentHint" }
  | { kind: "flag" | "not" | "isFork"; to: FieldsOf<boolean> }
  | { kind: "texts"; to: FieldsOf<string[]> }
  | { kind: "words"; to: "arguments" }
  /** A list; a text that is none makes the requirements invalid. */
  | { kind: "capabilityList"; to: "requiredCapabilities" }
  | { kind: "tools" | "maybeTools"; to: "allowedTools" }
  /** What cannot be read takes every tool away. */
  | { kind: "deniedTools"; to: "disallowedTools" }
  | { kind: "map"; to: "hooks" }
  /** A mapping; what is none is told where requirements are read. */
  | { kind: "mapOnly"; to: "requires" }
  | { kind: "class"; to: "declaredClass" }
  | { kind: "scope"; to: "scope" }
  | { kind: "activation"; to: "activation" }
  | { kind: "install"; to: "install" }
  | { kind: "declaredTools"; to: "tools" }
  | { kind: "interface"; to: "interface" }
  /** Lists of all dialects are added up; a value of another type makes the requirements invalid. */
  | { kind: "requirement" | "operatingSystems" | "environment"; to: RequirementList }
  | { kind: "capabilities"; to: "capabilities" }
  | { kind: "credentials"; to: "credentials" }
  /** The value must be a mapping. What it holds is read by rows of its own; names without one are taken. */
  | { kind: "requirementMap"; to: "unknown" }
  /** The same in a place where other programs require other things: names without a row are left to them. */
  | { kind: "looseRequirementMap"; to: "unknown" };

/**
 * One mapping: the field `from` (a dotted path) and its other spellings, the first that is there counts. A field at the top
 * level leaves `meta` when it is taken, unless `keep`: then the target holds only a part of it, or others read it there.
 */
export type DialectField = Target & { from: string; spellings?: readonly string[]; keep?: true };

/**
 * What one vendor's skills say, as data. `at` are the places of the fields, one instead of the other: the first that is
 * there wins entirely. Without it they are at the top level.
 */
export type Dialect = {
  vendor: string;
  at?: readonly string[];
  /** The vendor's documents let these beat the top level; a field that says otherwise is then a warning. */
  overrides?: true;
  fields: readonly DialectField[];
};

/** A value with what YAML knows of it: its text as written, its source in brackets, the comment that cut it off. */
export type Written = { value: unknown; text?: string; source?: string; comment?: string };

export type Note = { code: string; severity: "info" | "warning"; message: string };

/**
 * What a reader makes of a value. `skip`: it means something else here and is left alone. `wrong`: it was meant, but it is not
 * what it should be; with `note` instead of the usual message.
 */
export type Reading = { value: unknown; note?: Note } | { skip: true } | { wrong: true; note?: Note };

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
