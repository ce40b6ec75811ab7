import { lacksValues, readFlow } from "@/lib/skill-format/frontmatter/read-flow";
import { isMapping } from "@/lib/skill-format/json-values";
import { type Diagnostic, type JsonObject, NO_REQUIREMENTS, type Requirements } from "@/lib/skill-format/schema";
import {
  type CompiledDialect,
  compileDialects,
  type Dialect,
  type DialectField,
  type FieldPath,
  type FieldRow,
  knownKeysOf,
  type Note,
  type Reading,
  type SkillPart,
  type WrittenValue,
} from "./dialect";
import { findUnreadRequirements } from "./find-unread-requirements";
import { expectedOf, JSON_REPAIRED, READERS, systemNameOf } from "./value-readers";

/** A parsed mapping with the source text of its top-level values. */
export type DialectSource = {
  values: JsonObject;
  texts?: ReadonlyMap<string, string>;
  sources?: ReadonlyMap<string, string>;
  comments?: ReadonlyMap<string, string>;
  lines?: ReadonlyMap<string, number>;
  /** Repeated keys at any level; only the last value is known. */
  repeatedKeys?: readonly { key: string; isSame?: boolean }[];
};

export type SourcePlace = { path: string; firstLine?: number };

/**
 * Reads a mapping by dialect tables in order of precedence: the first present and readable value of each field counts,
 * requirements are merged. Top-level values that were read leave `meta`, unless their table keeps them. A requirement
 * that cannot be read makes the requirements invalid. Never throws.
 */
export function applyDialects(source: DialectSource, place: SourcePlace, dialects: readonly Dialect[]): SkillPart {
  const state: State = {
    source,
    place,
    view: source.values,
    fields: {},
    requirements: null,
    overriding: new Map(),
    taken: new Map(),
    diagnostics: [],
  };
  const metadata = parseNested("metadata", state);
  if (metadata === UNREADABLE) {
    failRequirements(state, "metadata", "metadata_unreadable", '"metadata" must be a mapping, or JSON of one.');
  }
  parseNested("requires", state);
  failRepeated(state);
  for (const name of findUnreadRequirements(state.view, knownKeysOf(dialects))) {
    const message = `"${name.slice(0, 80)}" looks like a requirement, but no agent reads this field.`;
    failRequirements(state, name, "requirements_invalid", message);
  }
  const keys = Object.keys(source.values);
  const metadataKeys = isMapping(metadata) ? Object.keys(metadata) : [];
  for (const compiled of compileDialects(dialects, keys, metadataKeys)) applyDialect(compiled, state);
  if (state.requirements !== null) state.fields.requirements = state.requirements;
  const meta: JsonObject = {};
  for (const key of keys) if (!state.taken.has(key)) meta[key] = source.values[key];
  // Each row pairs a field with a reader of the same type (dialect.ts), so that the result is a partial manifest.
  return { fields: state.fields as SkillPart["fields"], meta, diagnostics: state.diagnostics };
}

/**
 * One diagnostic that names the top-level fields unknown to all tables, for files meant only for agents (OpenJarvis,
 * SkillParser: "Unmapped fields are logged and preserved"). `others` are read elsewhere.
 */
export function describeUnknown(
  keys: readonly string[],
  path: string,
  dialects: readonly Dialect[],
  others: readonly string[] = [],
): Diagnostic[] {
  const known = knownKeysOf(dialects);
  const unknown = keys.filter((key) => !known.has(key) && !others.includes(key));
  if (unknown.length === 0) return [];
  const names = unknown.map((key) => key.slice(0, 64)).slice(0, MAX_NAMED);
  const more = unknown.length > names.length ? ` and ${unknown.length - names.length} more` : "";
  const message = `Unknown fields are kept but not used: ${names.join(", ")}${more}.`;
  return [{ code: "field_unknown", severity: "info", path, message }];
}

const MAX_NAMED = 20;
const UNREADABLE = Symbol("unreadable");

type State = {
  source: DialectSource;
  place: SourcePlace;
  view: JsonObject;
  fields: Record<string, unknown>;
  requirements: Requirements | null;
  overriding: Map<string, string>;
  taken: Map<string, string>;
  diagnostics: Diagnostic[];
};

/**
 * `metadata` and `requires` may be strings with relaxed JSON (GSV, OpenClaw). `meta` keeps the original. An unreadable
 * value might contain requirements, so it does not count as empty.
 */
function parseNested(key: "metadata" | "requires", state: State): unknown {
  const { values, sources } = state.source;
  const value = values[key];
  if (!isPresent(value)) return value;
  const isWhole = isMapping(value) && !lacksValues(sources?.get(key) ?? "", sources?.has(key) ? value : {});
  if (isWhole) return value;
  const flow = typeof value === "string" ? readFlow(value) : undefined;
  const read = isMapping(flow?.value) ? flow.value : UNREADABLE;
  if (flow?.isRepaired) warn(state, key, { ...JSON_REPAIRED, message: `"${key}": ${JSON_REPAIRED.message}` });
  state.view = { ...state.view, [key]: read };
  return read;
}

/** Keys of any dialect that may hold requirements. */
const REQUIREMENT_KEYS: ReadonlySet<string> = new Set([
  ...["metadata", "requires", "prerequisites", "required_environment_variables", "platforms", "required_capabilities"],
  ...["gsv", "openclaw", "clawdbot", "moltbot", "clawdis", "clawdhub", "ongrid", "hermes", "openjarvis"],
  ...["bins", "anyBins", "env", "os", "config", "capabilities", "credentials", "primaryEnv", "envVars"],
]);

function failRepeated(state: State): void {
  const repeated = state.source.repeatedKeys?.find(({ key, isSame }) => REQUIREMENT_KEYS.has(key) && isSame !== true);
  if (repeated === undefined) return;
  const message = `"${repeated.key}" appears twice; only the last one was read.`;
  failRequirements(state, repeated.key, "requirements_invalid", message);
}

function applyDialect({ places, dialect }: CompiledDialect, state: State): void {
  for (const { path, rows } of places) {
    const base = path === null ? state.view : lookUp(path, state.view);
    if (!isPresent(base)) continue;
    if (isMapping(base)) for (const row of rows) applyRow(row, base, state);
    else if (path !== null) failPlace(path, dialect, state);
    return;
  }
}

function failPlace({ name }: FieldPath, dialect: Dialect, state: State): void {
  if (!dialect.fields.some((field) => field.kind === "requirementMap")) return;
  const message = `"${name}" must be a mapping. Its requirements are unknown.`;
  failRequirements(state, "metadata", "requirements_invalid", message);
}

function applyRow({ field, paths, dialect }: FieldRow, base: JsonObject, state: State): void {
  let path: FieldPath | null = null;
  let value: unknown;
  for (const candidate of paths) {
    const found = lookUp(candidate, base);
    if (found === undefined) continue;
    if (!isFieldPresent(found, candidate.name, field, state)) {
      state.taken.set(candidate.name, field.to);
    } else if (path === null) {
      path = candidate;
      value = found;
    } else if (state.taken.get(candidate.name) !== field.to) {
      const message = `"${candidate.name}" is another spelling of "${path.name}" and is not used.`;
      warn(state, candidate.name, { code: "field_repeated", severity: "warning", message });
    }
  }
  if (path === null || state.taken.get(path.name) === field.to) return;
  const written = base === state.view ? describeTopLevel(value, path.name, state.source) : { value };
  applyReading(READERS[field.kind](written), { field, dialect, name: path.name }, state);
}

function describeTopLevel(value: unknown, name: string, { texts, sources, comments }: DialectSource): WrittenValue {
  return { value, text: texts?.get(name), source: sources?.get(name), comment: comments?.get(name) };
}

type Origin = { field: DialectField; dialect: Dialect; name: string };

function applyReading(reading: Reading, { field, dialect, name }: Origin, state: State): void {
  if ("skip" in reading) return;
  if ("wrong" in reading) {
    const message = `"${name}" must be ${expectedOf(field.kind)}.`;
    if (isRequirement(field) || field.to === "requiredCapabilities") {
      failRequirements(state, name, "requirements_invalid", message);
    } else if (field.to === "disableModelInvocation") {
      // An unreadable restriction must not permit anything.
      state.fields[field.to] ??= true;
      warn(state, name, {
        code: "field_type",
        severity: "warning",
        message: `${message} Until then, models cannot start the skill.`,
      });
    } else {
      warn(state, name, reading.note ?? describeWrong(name, field));
    }
    return;
  }
  if (isRequirement(field)) {
    addRequirement(field, reading.value, state);
  } else if (Object.hasOwn(state.fields, field.to)) {
    warnOfConflict({ field, dialect, name }, reading.value, state);
    return;
  } else {
    state.fields[field.to] = reading.value;
    if (dialect.overrides === true) state.overriding.set(field.to, name);
  }
  if (reading.note !== undefined) warn(state, name, reading.note);
  if (field.keep !== true && Object.hasOwn(state.source.values, name)) state.taken.set(name, field.to);
}

function warnOfConflict({ field, name }: Origin, value: unknown, state: State): void {
  const winner = state.overriding.get(field.to);
  if (winner === undefined || JSON.stringify(value) === JSON.stringify(state.fields[field.to])) return;
  const code = field.to === "activation" ? "activation_conflict" : "field_conflict";
  const message = `"${name}" contradicts "${winner}", which takes precedence.`;
  warn(state, name, { code, severity: "warning", message });
}

function isRequirement(field: DialectField): field is DialectField & { to: keyof Requirements } {
  return Object.hasOwn(NO_REQUIREMENTS, field.to);
}

function addRequirement(field: { to: keyof Requirements }, value: unknown, state: State): void {
  state.requirements ??= { ...NO_REQUIREMENTS };
  const before = state.requirements[field.to];
  const added = field.to === "os" ? (value as string[]).map(systemNameOf) : (value as unknown[]);
  const all = Array.isArray(before) ? [...before, ...added] : added;
  const isNames = all.every((item) => typeof item === "string");
  const unique = isNames ? [...new Set(all)] : [...new Map(all.map((item) => [JSON.stringify(item), item])).values()];
  state.requirements = { ...state.requirements, [field.to]: unique };
}

function failRequirements(state: State, name: string, code: string, message: string): void {
  state.requirements = { ...(state.requirements ?? NO_REQUIREMENTS), invalid: true };
  warn(state, name, { code, severity: "warning", message: `${message} The skill is not eligible.` });
}

function describeWrong(name: string, field: DialectField): Note {
  const message = `"${name}" must be ${expectedOf(field.kind)}. The value is kept but not used.`;
  return { code: "field_type", severity: "warning", message };
}

function warn(state: State, name: string, { code, severity, message }: Note): void {
  const { firstLine = 1, path } = state.place;
  const { lines } = state.source;
  const line = lines?.get(name) ?? lines?.get(name.split(".", 1)[0] ?? name);
  const diagnostic = { code, severity, path, ...(line && { line: line + firstLine - 1 }), message };
  // Several dialects may report the same field.
  if (!state.diagnostics.some((other) => JSON.stringify(other) === JSON.stringify(diagnostic))) {
    state.diagnostics.push(diagnostic);
  }
}

function lookUp({ steps }: FieldPath, base: JsonObject): unknown {
  let value: unknown = base;
  for (const key of steps) {
    if (!isMapping(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

/** An empty list of tools allows none; YAML reads prose that begins with `#` as empty. */
function isFieldPresent(value: unknown, name: string, { kind }: DialectField, { source }: State): boolean {
  if (kind === "tools") return isDefined(value);
  return isPresent(value) || (kind === "prose" && value === null && source.comments?.has(name) === true);
}

function isPresent(value: unknown): boolean {
  return isDefined(value) && (typeof value !== "string" || value.trim() !== "");
}

function isDefined(value: unknown): boolean {
  return value !== undefined && value !== null;
}
