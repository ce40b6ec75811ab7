import type { RJSFSchema } from "@rjsf/utils";
import { asJson, asList, type Json, resolveSchema } from "./resolve-schema";
import { labelOfValue, titleOfKey } from "./titles";

/** The format of fields whose value is any JSON, edited as text. */
export const anyJsonFormat = "skillgate-json";

const literal = new Set(["const", "enum", "default", "examples", "required", "dependentRequired"]);
const choiceKeys = ["oneOf", "anyOf"] as const;

/**
 * Converts a schema to one that the form can show: every field has a title, `null` is expressed by an empty field, single
 * values are constants, free objects are edited as JSON, and tuples are `items` and `additionalItems`, as rjsf expects.
 * Arguments are validated against the original.
 */
export function toFormSchema(schema: Json): RJSFSchema {
  const { $schema: _dialect, $id: _id, ...rest } = schema;
  const form = convert({ type: "object", ...rest }, schema);
  return { ...form, title: "", description: "" };
}

/** `isField`: the node describes a value of its own, and not only a condition on one. */
type Place = { isField?: boolean; isBranch?: boolean };

/** Keywords whose value maps names to schemas. */
const maps = new Set(["$defs", "definitions", "patternProperties", "dependentSchemas"]);

function convert(given: Json, root: Json, { isField = false, isBranch = false }: Place = {}): Json {
  const node = withoutConditions(withoutNull(withBranches(given)));
  if (isField && isAnyJson(node)) return jsonField(node);
  const converted: Json = {};
  for (const [key, value] of Object.entries(node)) {
    if (literal.has(key)) converted[key] = value;
    else if (key === "properties") converted[key] = convertProperties(node, root, isBranch);
    else if (maps.has(key)) converted[key] = convertEach(value, root);
    else if (key === "oneOf" || key === "anyOf") converted[key] = convertBranches(asList(value), root);
    else if (Array.isArray(value)) converted[key] = value.map((item) => convertAny(item, root, key === "prefixItems"));
    else converted[key] = convertAny(value, root, key === "items");
  }
  if (isList(node) && isChoice(node.items)) converted.uniqueItems = true;
  if (!Array.isArray(converted.prefixItems)) return converted;
  const { prefixItems, items, ...others } = converted;
  return { ...others, items: prefixItems, ...(items === undefined ? {} : { additionalItems: items }) };
}

function convertAny(value: unknown, root: Json, isField = false): unknown {
  const node = asJson(value);
  return node ? convert(node, root, { isField }) : value;
}

const conditions = new Set(["required", "not", "title", "description", "dependentRequired"]);

/** Drops choices such as "a or b is required": there is nothing to choose in a form, and the check names what is missing. */
function withoutConditions(node: Json): Json {
  const isCondition = (branch: unknown) => {
    const keys = Object.keys(asJson(branch) ?? {});
    return keys.length > 0 && keys.every((key) => conditions.has(key));
  };
  const kept = Object.entries(node).filter(([key, value]) => {
    return !(key === "oneOf" || key === "anyOf") || !asList(value).every(isCondition);
  });
  return Object.fromEntries(kept);
}

function convertEach(value: unknown, root: Json): Json {
  return Object.fromEntries(Object.entries(asJson(value) ?? {}).map(([key, part]) => [key, convertAny(part, root)]));
}

function convertProperties({ properties, required }: Json, root: Json, isBranch: boolean): Json {
  const names = asList(required);
  const fields = Object.entries(asJson(properties) ?? {}).map(([key, property]): [string, unknown] => {
    const field = convert(asJson(property) ?? {}, root, { isField: true });
    const title = typeof field.title === "string" && field.title !== "" ? field.title : titleOfKey(key);
    return [key, { ...asConstant(field, names.includes(key) || isBranch), title }];
  });
  return Object.fromEntries(fields);
}

/** A required field with one possible value is a constant. An optional one is a choice between that value and none. */
function asConstant(field: Json, isGiven: boolean): Json {
  const { const: constant, ...rest } = field;
  const [only, ...others] = asList(field.enum);
  if (isGiven) return only !== undefined && others.length === 0 ? { ...field, const: only } : field;
  return constant === undefined ? field : { ...rest, enum: [constant] };
}

/** Types in a list become branches: `{type: ["string", "integer"]}` is a choice between text and a number. */
function withBranches(node: Json): Json {
  const types = asList(node.type).filter((type) => type !== "null");
  if (!Array.isArray(node.type)) return node;
  if (types.length <= 1) return { ...node, type: types[0] ?? "null" };
  const { type: _types, title, description, default: start, ...rest } = node;
  const own = { ...(title ? { title } : {}), ...(description ? { description } : {}) };
  return {
    ...own,
    ...(start === undefined ? {} : { default: start }),
    anyOf: types.map((type) => ({ ...rest, type })),
  };
}

/** Drops the branch and the value `null`: an empty optional field is left out of the arguments, which means the same. */
function withoutNull(node: Json): Json {
  const { default: start, nullable: _nullable, ...rest } = node;
  const kept: Json = start === null || start === undefined ? rest : { ...rest, default: start };
  if (Array.isArray(kept.enum)) kept.enum = kept.enum.filter((value) => value !== null);
  for (const key of choiceKeys) {
    if (!Array.isArray(kept[key])) continue;
    const branches = asList(kept[key]).filter((branch) => asJson(branch)?.type !== "null");
    const only = asJson(branches[0]);
    const { [key]: _choice, ...own } = kept;
    // A single named choice says what it means, such as the one host that can run a skill.
    const isNamed = only?.const !== undefined && only.title !== undefined;
    if (branches.length === 1 && only && !isNamed) return withoutNull(withBranches({ ...only, ...own }));
    kept[key] = branches;
  }
  return kept;
}

function convertBranches(branches: readonly unknown[], root: Json): Json[] {
  const converted = branches.map((branch) => {
    const node = convert(asJson(branch) ?? {}, root, { isField: true, isBranch: true });
    const [only, ...others] = asList(node.enum);
    return only !== undefined && others.length === 0 ? { ...node, const: only } : node;
  });
  const titles = converted.map((branch) => titleOfBranch(resolveSchema(branch, root)));
  return converted.map((branch, index) => {
    const title = titles[index] ?? "";
    const isRepeated = titles.filter((other) => other === title).length > 1;
    return { ...branch, title: isRepeated ? `${title} ${index + 1}` : title };
  });
}

const typeTitles: Record<string, string> = {
  string: "Text",
  number: "Number",
  integer: "Whole number",
  boolean: "Yes or no",
  object: "Object",
};

/** Titles that generators take from a class: `InlineKeyboardMarkup`. */
const className = /^([A-Z][a-z]+){2,}$/;

function titleOfBranch(branch: Json): string {
  if (typeof branch.title === "string" && branch.title !== "") {
    return className.test(branch.title) ? titleOfKey(branch.title) : branch.title;
  }
  if (branch.const !== undefined) return labelOfValue(branch.const);
  if (asList(branch.enum).length > 0) return "Choice";
  if (branch.format === anyJsonFormat) return "JSON";
  if (branch.type === "array") return `List of ${plural(asJson(branch.items) ?? {})}`;
  const kind = Object.values(asJson(branch.properties) ?? {})
    .map((property) => asJson(property)?.const)
    .find((constant) => typeof constant === "string");
  if (typeof kind === "string") return titleOfKey(kind);
  return typeTitles[String(branch.type)] ?? "Value";
}

function plural({ type }: Json): string {
  const names: Record<string, string> = { string: "texts", number: "numbers", integer: "numbers", object: "objects" };
  return names[String(type)] ?? "values";
}

function isList({ type, items }: Json): boolean {
  return type === "array" && asJson(items) !== null;
}

/** Lists of a few fixed values are chosen by checkboxes; hardly a tool wants the same value twice. */
function isChoice(items: unknown): boolean {
  return asList(asJson(items)?.enum).length > 1;
}

const shapes = ["$ref", "enum", "const", "oneOf", "anyOf", "allOf", "if", "not", "prefixItems", "patternProperties"];

/** No type at all, or an object or list without a word about its content. */
function isAnyJson(node: Json): boolean {
  if (shapes.some((key) => node[key] !== undefined)) return false;
  if (node.type === undefined) return node.properties === undefined && node.items === undefined;
  if (node.type === "array") return asJson(node.items) === null || Object.keys(asJson(node.items) ?? {}).length === 0;
  if (node.type !== "object") return false;
  const extra = asJson(node.additionalProperties);
  const hasForm = extra !== null && Object.keys(extra).length > 0;
  return Object.keys(asJson(node.properties) ?? {}).length === 0 && !hasForm;
}

function jsonField({ title, description, default: start, examples }: Json): Json {
  const parts = { title, description, default: start, examples };
  const given = Object.entries(parts).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(given), type: "string", format: anyJsonFormat };
}
