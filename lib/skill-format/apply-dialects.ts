import type { Dialect, DialectField } from "./dialects/dialect";
import { expectedOf, type Note, READERS, type Reading, systemNameOf } from "./dialects/read-kinds";
import { NO_REQUIREMENTS, type Requirements } from "./manifest-parts";
import { readFlow } from "./read-flow";
import type { Diagnostic, JsonObject } from "./schema";
import type { SkillPart } from "./skill-part";
import { isMapping } from "./take-fields";

/** A parsed mapping, and what is known of its top-level values as they were written. `lines` are lines of the file. */
export type DialectSource = {
  path: string;
  values: JsonObject;
  texts?: ReadonlyMap<string, string>;
  sources?: ReadonlyMap<string, string>;
  comments?: ReadonlyMap<string, string>;
  lines?: ReadonlyMap<string, number>;
};

/**
 * What a mapping says in the words of the manifest, by tables of dialects in order of precedence: for each field the first
 * value that is there and readable counts, requirements are added up. Top-level values that were taken leave `meta`, unless
 * their table keeps them; everything else stays there as it is. A requirement that cannot be read makes the requirements
 * invalid. Never throws.
 */
export function applyDialects(source: DialectSource, dialects: readonly Dialect[]): SkillPart {
  const state: State = {
    source,
    metadata: viewMetadata(source.values.metadata),
    fields: {},
    requirements: null,
    setBy: new Map(),
    taken: new Map(),
    meta: { ...source.values },
    diagnostics: [],
  };
  if (state.metadata === UNREADABLE) {
    failRequirements(state, "metadata", "metadata_unreadable", '"metadata" looks like JSON but cannot be read.');
  }
  const keys = Object.keys(source.values);
  for (const dialect of dialects) {
    // Most dialects name nothing that is there: that is found out without any work.
    const heads = headsOf(dialect);
    if (keys.some((key) => heads.has(key))) applyDialect(dialect, state);
  }
  // Parsed from rows that name fields and readers of one type (dialect.ts), so that the union of all is a partial manifest.
  const fields = state.fields as SkillPart["fields"];
  if (state.requirements !== null) fields.requirements = state.requirements;
  return { fields, meta: state.meta, diagnostics: state.diagnostics };
}

const UNREADABLE = Symbol("unreadable");

type State = {
  source: DialectSource;
  metadata: unknown;
  fields: Record<string, unknown>;
  requirements: Requirements | null;
  setBy: Map<string, { dialect: Dialect; key: string }>;
  /** Top-level keys that a field was taken from. */
  taken: Map<string, string>;
  meta: JsonObject;
  diagnostics: Diagnostic[];
};

/** `metadata` may be a text with relaxed JSON in it (GSV, OpenClaw). It is only looked into; `meta` keeps what was written. */
function viewMetadata(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  return readFlow(value) ?? UNREADABLE;
}

function applyDialect(dialect: Dialect, state: State): void {
  const prefix = prefixOf(dialect, state);
  if (prefix === null) return;
  for (const row of rowsOf(dialect, prefix)) {
    if (row.paths.some(({ head }) => Object.hasOwn(state.source.values, head))) applyField(row, dialect, state);
  }
}

/** Where the dialect's fields are, with a dot at the end; null when there is nothing to read. */
function prefixOf(dialect: Dialect, state: State): string | null {
  if (dialect.at === undefined) return "";
  if (!isMapping(state.metadata)) return null;
  const base = dialect.at.find((path) => isPresent(lookUp(pathOf(path), state)));
  if (base === undefined) return null;
  if (isMapping(lookUp(pathOf(base), state))) return `${base}.`;
  if (dialect.fields.some((field) => field.kind === "requirementMap")) {
    const message = `"${base}" should be a mapping; what it requires is not known.`;
    failRequirements(state, "metadata", "requirements_invalid", message);
  }
  return null;
}

/** A dotted path, cut once: what is asked for at the top level, and the keys below it. */
type Path = { name: string; head: string; below: readonly string[] };
type Row = { field: DialectField; paths: readonly Path[] };

/** Rows with their paths cut, by table and place. */
const ROWS = new Map<Dialect, Map<string, readonly Row[]>>();

function rowsOf(dialect: Dialect, prefix: string): readonly Row[] {
  const known = ROWS.get(dialect)?.get(prefix);
  if (known !== undefined) return known;
  const rows = dialect.fields.map((field) => ({
    field,
    paths: [field.from, ...(field.spellings ?? [])].map((name) => pathOf(prefix + name)),
  }));
  ROWS.set(dialect, (ROWS.get(dialect) ?? new Map<string, readonly Row[]>()).set(prefix, rows));
  return rows;
}

const HEADS = new Map<Dialect, ReadonlySet<string>>();

/** The top-level keys that a table looks at. */
function headsOf(dialect: Dialect): ReadonlySet<string> {
  const known = HEADS.get(dialect);
  if (known !== undefined) return known;
  const names = dialect.at ?? dialect.fields.flatMap((field) => [field.from, ...(field.spellings ?? [])]);
  const heads = new Set(names.map((name) => pathOf(name).head));
  HEADS.set(dialect, heads);
  return heads;
}

function pathOf(name: string): Path {
  const [head = "", ...below] = name.split(".");
  return { name, head, below };
}

function applyField({ field, paths }: Row, dialect: Dialect, state: State): void {
  const isThere = field.kind === "tools" ? isSaid : field.kind === "prose" ? isProse(state) : isPresent;
  const [path, ...others] = paths.filter((candidate) => isThere(lookUp(candidate, state), candidate.name));
  if (path === undefined) {
    for (const { name } of paths)
      if (Object.hasOwn(state.meta, name) && !isSaid(state.meta[name])) delete state.meta[name];
    return;
  }
  if (state.taken.get(path.name) === field.to) return;
  for (const other of others) {
    if (state.taken.get(other.name) === field.to) continue;
    const message = `"${other.name}" is another spelling of "${path.name}" and not used.`;
    warn(state, other.name, { code: "field_repeated", severity: "warning", message });
  }
  const { texts, sources, comments } = state.source;
  const written = {
    value: lookUp(path, state),
    text: texts?.get(path.name),
    source: sources?.get(path.name),
    comment: comments?.get(path.name),
  };
  keepReading(READERS[field.kind](written), field, { dialect, path: path.name }, state);
}

function keepReading(
  reading: Reading,
  field: DialectField,
  from: { dialect: Dialect; path: string },
  state: State,
): void {
  const { dialect, path } = from;
  if ("skip" in reading) return;
  if ("wrong" in reading) {
    if (isRequirement(field))
      failRequirements(state, path, "requirements_invalid", `"${path}" should be ${expectedOf(field.kind)}.`);
    else warn(state, path, reading.note ?? describeWrong(path, field));
    return;
  }
  if (isRequirement(field)) {
    addRequirement(field, reading.value, state);
  } else if (state.setBy.has(field.to)) {
    warnOfConflict(field, path, reading.value, state);
    return;
  } else {
    state.fields[field.to] = reading.value;
    state.setBy.set(field.to, { dialect, key: path });
  }
  if (reading.note !== undefined) warn(state, path, reading.note);
  if (field.keep !== true && Object.hasOwn(state.meta, path)) {
    state.taken.set(path, field.to);
    delete state.meta[path];
  }
}

function warnOfConflict(field: DialectField, path: string, value: unknown, state: State): void {
  const winner = state.setBy.get(field.to);
  if (winner?.dialect.overrides !== true || JSON.stringify(value) === JSON.stringify(state.fields[field.to])) return;
  const code = field.to === "activation" ? "activation_conflict" : "field_conflict";
  const message = `"${path}" says something else than "${winner.key}", which counts.`;
  warn(state, path, { code, severity: "warning", message });
}

function isRequirement(field: DialectField): field is DialectField & { to: keyof Requirements } {
  return Object.hasOwn(NO_REQUIREMENTS, field.to);
}

function addRequirement(field: { to: keyof Requirements }, value: unknown, state: State): void {
  state.requirements ??= { ...NO_REQUIREMENTS };
  const before = state.requirements[field.to];
  const added = field.to === "os" ? (value as string[]).map(systemNameOf) : (value as unknown[]);
  const all = Array.isArray(before) ? [...before, ...added] : added;
  const unique = [...new Map(all.map((item) => [JSON.stringify(item), item])).values()];
  state.requirements = { ...state.requirements, [field.to]: unique };
}

function failRequirements(state: State, path: string, code: string, message: string): void {
  state.requirements = { ...(state.requirements ?? NO_REQUIREMENTS), invalid: true };
  warn(state, path, { code, severity: "warning", message: `${message} The skill counts as not eligible.` });
}

function describeWrong(path: string, field: DialectField): Note {
  const message = `"${path}" should be ${expectedOf(field.kind)}; it is kept as it is and not used.`;
  return { code: "field_type", severity: "warning", message };
}

function warn(state: State, path: string, note: Note): void {
  const line = state.source.lines?.get(path) ?? state.source.lines?.get(path.split(".", 1)[0] ?? path);
  state.diagnostics.push({
    code: note.code,
    severity: note.severity,
    path: state.source.path,
    ...(line && { line }),
    message: note.message,
  });
}

function lookUp({ head, below }: Path, state: State): unknown {
  const { values } = state.source;
  if (!Object.hasOwn(values, head)) return undefined;
  let value: unknown = below.length > 0 && head === "metadata" ? state.metadata : values[head];
  for (const key of below) {
    if (!isMapping(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

function isPresent(value: unknown): boolean {
  return isSaid(value) && value !== "";
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** A text of which YAML left nothing, because it begins with a `#`. */
function isProse({ source }: State): (value: unknown, path: string) => boolean {
  return (value, path) => isPresent(value) || (value === null && source.comments?.has(path) === true);
}
