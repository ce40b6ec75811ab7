import type { Dialect, DialectField } from "./dialect";

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
const MAX_SETS = 256;
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
  if (byKeys.size >= MAX_SETS) byKeys.clear();
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
