import type { Diagnostic, JsonObject, SkillManifest } from "@/lib/skill-format/schema";
import type { Requirements } from "../schema";

type FieldsOf<T> = { [K in keyof SkillManifest]: SkillManifest[K] extends T ? K : never }[keyof SkillManifest];
type RequirementList = { [K in keyof Requirements]: Requirements[K] extends string[] ? K : never }[keyof Requirements];

/** The expected type of a value; `value-readers.ts` has a reader for each. */
type Target =
  /** A string from the source; `prose` restores what YAML cut at ` #`. */
  | { kind: "text" | "prose" | "textOrJson"; to: FieldsOf<string | null> }
  /** A string, or YAML's reading of `[file] [language]`. */
  | { kind: "hint"; to: "argumentHint" }
  | { kind: "flag" | "not" | "isFork"; to: FieldsOf<boolean> }
  | { kind: "texts"; to: FieldsOf<string[]> }
  | { kind: "words"; to: "arguments" }
  /** A list; any other text makes the requirements invalid. */
  | { kind: "capabilityList"; to: "requiredCapabilities" }
  | { kind: "tools" | "maybeTools"; to: "allowedTools" }
  /** An unreadable value takes every tool away. */
  | { kind: "deniedTools"; to: "disallowedTools" }
  | { kind: "map"; to: "hooks" }
  /** A mapping; other values are reported with the requirements. */
  | { kind: "mapOnly"; to: "requires" }
  | { kind: "class"; to: "declaredClass" }
  | { kind: "scope"; to: "scope" }
  | { kind: "activation"; to: "activation" }
  | { kind: "install"; to: "install" }
  | { kind: "declaredTools"; to: "tools" }
  | { kind: "interface"; to: "interface" }
  /** Merged over all dialects; a value of another type makes the requirements invalid. */
  | { kind: "requirement" | "operatingSystems" | "environment"; to: RequirementList }
  | { kind: "capabilities"; to: "capabilities" }
  | { kind: "credentials"; to: "credentials" }
  /** A mapping whose entries have rows of their own; names without a row are unknown requirements. */
  | { kind: "requirementMap"; to: "unknown" }
  /** Like `requirementMap` where other programs have their own requirements: names without a row are ignored. */
  | { kind: "looseRequirementMap"; to: "unknown" };

/**
 * Maps the field `from` (a dotted path) or one of its spellings; the first present one counts. A top-level field leaves
 * `meta`, unless `keep` is set because the target holds only a part of it.
 */
export type DialectField = Target & { from: string; spellings?: readonly string[]; keep?: true };

/** The fields of one vendor. Of the alternative places `at`, only the first present one is read. */
export type Dialect = {
  vendor: string;
  at?: readonly string[];
  /** The vendor documents that these override the top level; a conflicting field is reported. */
  overrides?: true;
  fields: readonly DialectField[];
};

/** A value and its YAML source: the text as written, the source in brackets, the comment that cut it off. */
export type WrittenValue = { value: unknown; text?: string; source?: string; comment?: string };

export type Note = { code: string; severity: "info" | "warning"; message: string };

/** `skip`: the value has another meaning here. `wrong`: it has another type; `note` replaces the default message. */
export type Reading = { value: unknown; note?: Note } | { skip: true } | { wrong: true; note?: Note };

export type SkillPart = {
  fields: Partial<Omit<SkillManifest, "meta">>;
  meta: JsonObject;
  diagnostics: Diagnostic[];
};

/** Drops undefined and null fields, so that spreading does not erase another file's values. */
export function definedFields<T extends Record<string, unknown>>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };
}

export type FieldPath = { name: string; head: string; steps: readonly string[] };
export type FieldRow = { field: DialectField; paths: readonly FieldPath[]; dialect: Dialect };

export type CompiledDialect = {
  dialect: Dialect;
  places: readonly { path: FieldPath | null; rows: readonly FieldRow[] }[];
};

type Tables = { all: readonly CompiledDialect[]; byKeys: Map<string, readonly CompiledDialect[]> };

const COMPILED = new WeakMap<readonly Dialect[], Tables>();
/** Most skills share a few sets of keys, so compiled tables are cached by set. */
const MAX_CACHED_KEY_SETS = 256;
const MAX_SET_CHARS = 1_000;

/** Splits the tables' paths and keeps only places and rows for the given top-level keys and keys of `metadata`. */
export function compileDialects(
  dialects: readonly Dialect[],
  keys: readonly string[],
  metadataKeys: readonly string[],
): readonly CompiledDialect[] {
  let tables = COMPILED.get(dialects);
  if (tables === undefined) {
    tables = { all: dialects.map(compileDialect), byKeys: new Map() };
    COMPILED.set(dialects, tables);
  }
  const { all, byKeys } = tables;
  const set = `${keys.join("\0")}\0\0${metadataKeys.join("\0")}`;
  const known = byKeys.get(set);
  if (known !== undefined) return known;
  const concerned = selectRows(all, new Set(keys), new Set(metadataKeys));
  if (byKeys.size >= MAX_CACHED_KEY_SETS) byKeys.clear();
  if (set.length <= MAX_SET_CHARS) byKeys.set(set, concerned);
  return concerned;
}

export function knownKeysOf(dialects: readonly Dialect[]): ReadonlySet<string> {
  const found = KNOWN.get(dialects);
  if (found !== undefined) return found;
  const names = dialects.flatMap(({ at, fields }) => [
    ...(at ?? fields.flatMap(({ from, spellings }) => [from, ...(spellings ?? [])])),
  ]);
  const known = new Set(names.map((name) => pathOf(name).head));
  KNOWN.set(dialects, known);
  return known;
}

const KNOWN = new WeakMap<readonly Dialect[], ReadonlySet<string>>();

function selectRows(
  all: readonly CompiledDialect[],
  keys: ReadonlySet<string>,
  metadataKeys: ReadonlySet<string>,
): readonly CompiledDialect[] {
  const isPresent = ({ name }: FieldPath) => {
    const [head = "", second] = name.split(".");
    return keys.has(head) && (head !== "metadata" || second === undefined || metadataKeys.has(second));
  };
  return all
    .map(({ dialect, places }) => ({
      dialect,
      places: places
        .filter(({ path }) => path === null || isPresent(path))
        .map(({ path, rows }) => ({ path, rows: rows.filter(({ paths }) => paths.some(isPresent)) })),
    }))
    .filter(({ places }) => places.some(({ path, rows }) => path !== null || rows.length > 0));
}

function compileDialect(dialect: Dialect): CompiledDialect {
  const places = (dialect.at ?? [null]).map((at) => ({
    path: at === null ? null : pathOf(at),
    rows: dialect.fields.map((field) => rowOf(field, at, dialect)),
  }));
  return { dialect, places };
}

function rowOf(field: DialectField, place: string | null, dialect: Dialect): FieldRow {
  const names = [field.from, ...(field.spellings ?? [])];
  const paths = names.map((name) =>
    place === null ? pathOf(name) : { ...pathOf(`${place}.${name}`), steps: name.split(".") },
  );
  return { field, paths, dialect };
}

function pathOf(name: string): FieldPath {
  const steps = name.split(".");
  return { name, head: steps[0] ?? "", steps };
}
