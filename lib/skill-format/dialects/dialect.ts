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
export type WrittenValue = { value: unknown; text?: string; source?: string; comment?: string };

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
export function definedFields<T extends Record<string, unknown>>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };
}

/** A dotted path, cut once: its whole name, its top-level key, and the keys to follow from where its row looks. */
export type FieldPath = { name: string; head: string; steps: readonly string[] };
export type FieldRow = { field: DialectField; paths: readonly FieldPath[]; dialect: Dialect };

/** A table made ready: its places (one, without a path, for the top level), and the rows for each. */
export type CompiledDialect = {
  dialect: Dialect;
  places: readonly { path: FieldPath | null; rows: readonly FieldRow[] }[];
};

type Tables = { all: readonly CompiledDialect[]; byKeys: Map<string, readonly CompiledDialect[]> };

const COMPILED = new WeakMap<readonly Dialect[], Tables>();
/** Most skills have one of few sets of keys: what concerns a set is found out once. */
const MAX_CACHED_KEY_SETS = 256;
const MAX_SET_CHARS = 1_000;

/**
 * Tables with all their paths cut, and of them only the places and rows that look at one of these top-level keys and keys of
 * `metadata`. The others have nothing to read.
 */
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

/** Every top-level key that a row or a place of these tables begins with. */
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
  const isThere = ({ name }: FieldPath) => {
    const [head = "", second] = name.split(".");
    return keys.has(head) && (head !== "metadata" || second === undefined || metadataKeys.has(second));
  };
  return all
    .map(({ dialect, places }) => ({
      dialect,
      places: places
        .filter(({ path }) => path === null || isThere(path))
        .map(({ path, rows }) => ({ path, rows: rows.filter(({ paths }) => paths.some(isThere)) })),
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
