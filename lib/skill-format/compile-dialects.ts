import type { Dialect, DialectField } from "./dialects/dialect";

/** A dotted path, cut once: what is asked for at the top level, and the keys below it. */
export type FieldPath = { name: string; head: string; below: readonly string[] };
export type FieldRow = { field: DialectField; paths: readonly FieldPath[]; dialect: Dialect };

/** A table made ready: its places (one, with an empty name, for the top level), and the rows for each. */
export type CompiledDialect = {
  dialect: Dialect;
  /** The top-level keys that it looks at. */
  heads: ReadonlySet<string>;
  places: readonly { path: FieldPath | null; rows: readonly FieldRow[] }[];
};

const COMPILED = new WeakMap<readonly Dialect[], readonly CompiledDialect[]>();

/** Tables with all their paths cut; each list of tables is worked through only once. */
export function compileDialects(dialects: readonly Dialect[]): readonly CompiledDialect[] {
  const known = COMPILED.get(dialects);
  if (known !== undefined) return known;
  const compiled = dialects.map(compileDialect);
  COMPILED.set(dialects, compiled);
  return compiled;
}

function compileDialect(dialect: Dialect): CompiledDialect {
  const places = (dialect.at ?? [null]).map((at) => ({
    path: at === null ? null : pathOf(at),
    rows: dialect.fields.map((field) => rowOf(field, at === null ? "" : `${at}.`, dialect)),
  }));
  const heads = new Set(places.flatMap(({ rows }) => rows.flatMap(({ paths }) => paths.map(({ head }) => head))));
  return { dialect, heads, places };
}

function rowOf(field: DialectField, prefix: string, dialect: Dialect): FieldRow {
  const paths = [field.from, ...(field.spellings ?? [])].map((name) => pathOf(prefix + name));
  return { field, paths, dialect };
}

function pathOf(name: string): FieldPath {
  const [head = "", ...below] = name.split(".");
  return { name, head, below };
}
