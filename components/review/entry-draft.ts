import { isObject } from "@/components/json/diff-json";
import { type ScriptEntry, type ScriptParam, scriptInput } from "@/lib/skill-format/entry/script-entry";

type ParamType = "string" | "integer" | "number" | "boolean";
/** One parameter in the form. `passed: "input"` is the text on the script’s standard input. */
export type ParamRow = {
  name: string;
  passed: ScriptParam["kind"] | "input";
  flag: string;
  type: ParamType;
  isList: boolean;
  isRequired: boolean;
  default: string;
  help: string;
  /** Settings that the form does not show, kept unchanged. */
  param: Pick<ScriptParam, "together" | "joined" | "mayBeOption">;
  property: Record<string, unknown>;
};

const TYPES: readonly string[] = ["string", "integer", "number", "boolean"] satisfies ParamType[];

export function rowsOf({ call, schema }: ScriptEntry): ParamRow[] {
  if (call.style === "stdin-json") return [];
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const row = (name: string, passed: ParamRow["passed"], param: Partial<ScriptParam>): ParamRow => {
    const property = isObject(properties[name]) ? properties[name] : {};
    const items = isObject(property.items) ? property.items : {};
    const type = param.repeat ? items.type : property.type;
    const { together, joined, mayBeOption } = param;
    return {
      ...{ name, passed, flag: param.flag ?? "", isList: param.repeat === true },
      type: TYPES.includes(String(type)) ? (type as ParamType) : "string",
      isRequired: required.includes(name),
      default: textOf(property.default),
      help: typeof property.description === "string" ? property.description : "",
      param: { ...(together && { together }), ...(joined && { joined }), ...(mayBeOption && { mayBeOption }) },
      property,
    };
  };
  const rows = call.params.map((param) => row(param.name, param.kind, param));
  return call.stdin === undefined ? rows : [...rows, row(call.stdin, "input", {})];
}

/** The entry with these parameters. Settings that the form does not show are kept. */
export function withRows(entry: ScriptEntry, rows: readonly ParamRow[]): ScriptEntry {
  const input = rows.find(({ passed }) => passed === "input");
  const passed = rows.flatMap((row) => (row.passed === "input" ? [] : [paramOf(row, row.passed)]));
  const required = rows.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const { required: _, properties: __, ...rest } = entry.schema;
  const isStandard = entry.call.style === "argv" && entry.call.standard === true;
  return {
    ...entry,
    call: {
      style: "argv",
      params: passed,
      ...(input ? { stdin: input.name } : {}),
      ...(isStandard ? { standard: true } : {}),
    },
    schema: {
      ...rest,
      type: "object",
      properties: Object.fromEntries(rows.map((row) => [row.name, propertyOf(row)])),
      ...(required.length > 0 ? { required } : {}),
    },
  };
}

function paramOf({ name, flag, isList, param }: ParamRow, kind: ScriptParam["kind"]): ScriptParam {
  if (kind === "flag") return { name, kind, flag };
  const { mayBeOption, ...ofOption } = param;
  const repeat = isList ? { repeat: true } : {};
  return kind === "option"
    ? { name, kind, flag, ...repeat, ...ofOption }
    : { name, kind, ...repeat, ...(mayBeOption ? { mayBeOption } : {}) };
}

function propertyOf({ type, isList, help, property, passed, ...row }: ParamRow): Record<string, unknown> {
  const { type: _, items, default: __, description: ___, ...rest } = property;
  const kept = isObject(items) ? items : {};
  const fallback = defaultOf(row.default, type, isList);
  const shape =
    passed === "flag" ? { type: "boolean" } : isList ? { type: "array", items: { ...kept, type } } : { type };
  return {
    ...rest,
    ...shape,
    ...(help.trim() === "" ? {} : { description: help.trim() }),
    ...(fallback === undefined ? {} : { default: fallback }),
  };
}

function textOf(value: unknown): string {
  return value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value);
}

/** Parses a typed default; undefined when empty or of the wrong type. */
function defaultOf(text: string, type: ParamType, isList: boolean): unknown {
  if (text === "") return undefined;
  if (type === "string" && !isList) return text;
  try {
    const value: unknown = JSON.parse(text);
    if (isList) return Array.isArray(value) ? value : undefined;
    return typeof value === (type === "integer" ? "number" : type) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** An example command line, shell-quoted, with defaults or placeholder values. */
export function exampleCommand(entry: ScriptEntry, interpreter: readonly string[]): string {
  const args = Object.fromEntries(rowsOf(entry).map((row) => [row.name, exampleOf(row)]));
  const built = scriptInput(entry.call, entry.call.style === "argv" ? args : {});
  const argv = built.ok ? built.input.argv : [];
  const command = [...interpreter, entry.path, ...argv].map(quoted).join(" ");
  if (entry.call.style === "stdin-json") return `${command} < arguments.json`;
  return entry.call.stdin === undefined ? command : `${command} < ${quoted(entry.call.stdin)}`;
}

function exampleOf(row: ParamRow): unknown {
  const fallback = defaultOf(row.default, row.type, row.isList);
  if (row.passed === "flag") return true;
  if (fallback !== undefined && !(Array.isArray(fallback) && fallback.length === 0)) return fallback;
  const choices = isObject(row.property.items) ? row.property.items.enum : row.property.enum;
  const one = Array.isArray(choices) ? choices[0] : row.type === "string" ? row.name.toUpperCase() : 1;
  return row.isList ? [one] : one;
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
