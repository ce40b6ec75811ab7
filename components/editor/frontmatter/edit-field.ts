import {
  Document,
  isAlias,
  isCollection,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  Parser,
  parseDocument,
  type Scalar,
  type YAMLMap,
} from "yaml";
import { parseAllowedTools } from "@/lib/skill-format/dialects/tools";
import { isFailure, parseYamlBlock } from "@/lib/skill-format/frontmatter/parse-yaml-block";
import { FORM_FIELDS, type FormKey, fieldOf } from "./form-fields";
import { locateBlock } from "./locate-block";
import { writtenKey } from "./read-form";

export type NewValue = string | boolean | readonly string[] | Readonly<Record<string, string>> | null;

const PARSE = { version: "1.2", schema: "core", merge: false } as const;
const WRITE = { lineWidth: 0, flowCollectionPadding: false } as const;

/**
 * Changes one frontmatter field of a SKILL.md; `null` removes it. Only the lines of that field are rewritten, comments and
 * the field's style (quotes, flow list, tools on one line) are kept. Returns null when the frontmatter is not valid YAML, or
 * its lines cannot be changed separately.
 */
export function editField(text: string, key: FormKey, value: NewValue): string | null {
  const block = locateBlock(text);
  if (block.kind === "broken") return null;
  if (block.kind === "absent") {
    if (value === null) return text;
    const yaml = writePair(key, value);
    return `${text.slice(0, block.at)}---\n${yaml}---\n${text.length > block.at ? "\n" : ""}${text.slice(block.at)}`;
  }
  const before = text.slice(block.start, block.end);
  const after = editBlock(before, key, value, block.eol);
  if (after === null || !isOnlyChange(before, after, key)) return null;
  return text.slice(0, block.start) + after + text.slice(block.end);
}

function editBlock(yaml: string, key: FormKey, value: NewValue, eol: string): string | null {
  const document = parseDocument(yaml, PARSE);
  const root = document.contents;
  if (document.errors.length > 0) return null;
  if (root === null) return value === null ? yaml : withLineEnd(yaml, eol) + inLines(writePair(key, value), eol);
  // Flow maps and indented keys share lines with other fields.
  if (!isMap(root) || root.flow || root.range?.[0] === undefined || columnOf(yaml, root.range[0]) !== 0) return null;
  const keys = new Map(root.items.map((pair) => [nameOf(pair), pair]));
  const name = writtenKey(fieldOf(key), keys);
  const pair = keys.get(name);
  if (pair === undefined) {
    if (value === null) return yaml;
    const at = insertOffset(key, keys, yaml);
    return withLineEnd(yaml.slice(0, at), eol) + inLines(writePair(name, value), eol) + yaml.slice(at);
  }
  const { start, end } = linesOf(pair, yaml);
  const lines = yaml.slice(start, end);
  const written = value === null ? "" : rewritePair(lines.replaceAll("\r\n", "\n"), name, value);
  if (written === null) return null;
  return yaml.slice(0, start) + inLines(keepComments(lines, written), eol) + yaml.slice(end);
}

function rewritePair(lines: string, name: string, value: string | boolean | object): string | null {
  const document = parseDocument(lines, PARSE);
  if (!isMap(document.contents) || document.contents.items.length !== 1) return null;
  const map: YAMLMap = document.contents;
  const old = map.get(name, true) as unknown;
  if (Array.isArray(value) && isScalar(old) && typeof old.value === "string" && old.value !== "") {
    const separator = splitsOnComma(old.value, value) ? ", " : " ";
    if (name.startsWith("allowed") || separator === ", ") return rewritePair(lines, name, value.join(separator));
  }
  if (isScalar(old) && (typeof value === "string" || typeof value === "boolean")) setScalar(old, value);
  else if (isSeq(old) && Array.isArray(value)) setItems(old, value, document);
  else if (isMap(old) && isRecord(value)) setEntries(old, value, document);
  else map.set(name, document.createNode(toYamlValue(name, value)));
  return document.toString(WRITE);
}

function setScalar(node: Scalar, value: string | boolean): void {
  const wasEmpty = node.value === null || node.value === "";
  if (wasEmpty || typeof value === "boolean") node.type = "PLAIN";
  else if (node.type === "PLAIN" && value.includes("\n")) node.type = "BLOCK_LITERAL";
  // A folded scalar would turn a typed line break into a space.
  else if (node.type === "BLOCK_FOLDED" && value.includes("\n")) node.type = "BLOCK_LITERAL";
  if (value === "") node.type = "QUOTE_DOUBLE";
  node.value = value;
}

/** Keeps the nodes of unchanged items, and so their comments. */
function setItems(list: { items: unknown[] }, items: readonly string[], document: Document): void {
  const left = [...list.items];
  list.items = items.map((item) => {
    const at = left.findIndex((node) => isScalar(node) && String(node.value) === item);
    return at === -1 ? document.createNode(item) : left.splice(at, 1)[0];
  });
}

function setEntries(map: YAMLMap, entries: Readonly<Record<string, string>>, document: Document): void {
  const isShown = (pair: Pair) => isScalar(pair.value) && typeof pair.value.value === "string";
  map.items = map.items.filter((pair) => !isShown(pair) || Object.hasOwn(entries, nameOf(pair)));
  for (const [key, text] of Object.entries(entries)) {
    const node = map.get(key, true) as unknown;
    if (isScalar(node) && node.value === text) continue;
    if (isScalar(node)) setScalar(node, text);
    else if (!map.has(key)) map.add(document.createPair(key, text));
  }
}

function writePair(name: string, value: string | boolean | object): string {
  return new Document({ [name]: toYamlValue(name, value) }, { version: "1.2" }).toString(WRITE);
}

/** The specification writes tools as one string; other lists stay lists. */
function toYamlValue(name: string, value: string | boolean | object): unknown {
  return name.startsWith("allowed") && Array.isArray(value) ? value.join(" ") : value;
}

function splitsOnComma(text: string, items: readonly unknown[]): boolean {
  const found = parseAllowedTools(text) ?? [];
  return text.includes(",") && found.length > 0 && !items.some((item) => String(item).includes(","));
}

/** Puts comments that the new lines lost above them. */
function keepComments(before: string, after: string): string {
  const left = commentsOf(after);
  const lost = commentsOf(before).filter((comment) => {
    const at = left.indexOf(comment);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
  return lost.map((comment) => `${comment}\n`).join("") + after;
}

/** Offset after the nearest field that precedes it in the form; else the end. */
function insertOffset(key: FormKey, keys: ReadonlyMap<string, Pair>, yaml: string): number {
  const position = FORM_FIELDS.findIndex((field) => field.key === key);
  for (const field of FORM_FIELDS.slice(0, position).reverse()) {
    const pair = keys.get(writtenKey(field, keys));
    if (pair) return linesOf(pair, yaml).end;
  }
  return yaml.length;
}

/** From the start of the key to the end of the value's last line, including a trailing comment. */
function linesOf(pair: Pair, yaml: string): { start: number; end: number } {
  const start = (pair.key as Node).range?.[0] ?? 0;
  const last = Math.max(start, endOf(pair));
  // The range of a block scalar includes its line end.
  if (last > start && yaml[last - 1] === "\n") return { start, end: last };
  const lineEnd = yaml.indexOf("\n", last);
  return { start, end: lineEnd === -1 ? yaml.length : lineEnd + 1 };
}

function endOf(node: unknown): number {
  if (isPair(node)) return Math.max(endOf(node.key), endOf(node.value));
  if (isCollection(node) && !node.flow && node.items.length > 0) return Math.max(...node.items.map(endOf));
  return isScalar(node) || isAlias(node) || isCollection(node) ? (node.range?.[1] ?? 0) : 0;
}

/** Verifies that every other field still has the same value. */
function isOnlyChange(before: string, after: string, key: FormKey): boolean {
  const said = parseYamlBlock(before);
  const says = parseYamlBlock(after);
  if (isFailure(says)) return false;
  if (isFailure(said)) return false;
  const own = new Set([key, ...fieldOf(key).spellings]);
  const others = (values: object) =>
    JSON.stringify(Object.entries(values).filter(([name]) => !own.has(name as FormKey)));
  return others(said.values) === others(says.values);
}

function nameOf(pair: Pair): string {
  return isScalar(pair.key) ? String(pair.key.value) : "";
}

function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf("\n", offset - 1) + 1);
}

function withLineEnd(text: string, eol: string): string {
  return text === "" || text.endsWith("\n") ? text : text + eol;
}

function inLines(text: string, eol: string): string {
  return eol === "\n" ? text : text.replaceAll("\r\n", "\n").replaceAll("\n", eol);
}

function isRecord(value: unknown): value is Record<string, string> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** All comments of a YAML text, in order and trimmed. */
export function commentsOf(yaml: string): string[] {
  return [...new Parser().parse(yaml)].flatMap(collect);
}

function collect(token: unknown): string[] {
  if (typeof token !== "object" || token === null) return [];
  if (Array.isArray(token)) return token.flatMap(collect);
  if ("type" in token && token.type === "comment" && "source" in token) return [String(token.source).trim()];
  return Object.values(token).flatMap(collect);
}
