import { isAlias, isMap, isScalar, isSeq, type Node, type Pair, parseDocument, Schema } from "yaml";
import { MAX_FRONTMATTER_BYTES, MAX_FRONTMATTER_DEPTH, MAX_FRONTMATTER_KEYS } from "@/lib/skill-format/archive/limits";
import { isDangerousKey, storableText } from "@/lib/skill-format/json-values";
import type { JsonObject } from "@/lib/skill-format/schema";

/** A mapping as plain JSON, with the source of its top-level values. Lines count from 1 in the block. */
export type YamlMapping = {
  values: JsonObject;
  texts: Map<string, string>;
  sources: Map<string, string>;
  /** The comment after each top-level plain scalar, from `#` on. */
  comments: Map<string, string>;
  lines: Map<string, number>;
  droppedKeys: string[];
  /** Repeated keys, if requested; the last one counts. `isSame`: the earlier value was equal. */
  repeatedKeys: { key: string; line: number; isSame?: boolean }[];
};
export type YamlFailure = { code: "yaml_invalid" | "frontmatter_too_large"; line: number; message: string };

export type ParseYaml = (block: string) => YamlMapping | YamlFailure;

export const NOT_A_MAPPING = "It must be a mapping of names to values.";

export function emptyMapping(): YamlMapping {
  return {
    values: {},
    texts: new Map(),
    sources: new Map(),
    comments: new Map(),
    lines: new Map(),
    droppedKeys: [],
    repeatedKeys: [],
  };
}

/**
 * Reads a YAML 1.2 mapping (core schema): no aliases, merges, custom tags or repeated keys (unless `lastKeyWins`), at
 * most 64 KiB, 200 keys and 8 levels. Numbers that would print differently (`1.10`) stay strings. Keys such as
 * `__proto__` are dropped and listed. Never throws.
 */
export function parseYamlBlock(block: string, options: { lastKeyWins?: boolean } = {}): YamlMapping | YamlFailure {
  if (isLonger(block, MAX_FRONTMATTER_BYTES)) {
    return { code: "frontmatter_too_large", line: 1, message: `It is larger than ${MAX_FRONTMATTER_BYTES} bytes.` };
  }
  try {
    return readMapping(block, options.lastKeyWins === true);
  } catch (error) {
    if (error instanceof BlockProblem) {
      return { code: error.code, line: lineAt(block, error.offset), message: error.message };
    }
    // The package throws only for internal failures such as a stack overflow, without a position.
    return { code: "yaml_invalid", line: 1, message: "It cannot be read." };
  }
}

export function isFailure(result: YamlMapping | YamlFailure): result is YamlFailure {
  return "code" in result;
}

/** Cached because the package would create it for each document. */
const CORE = new Schema({ schema: "core", merge: false });

const OPTIONS = {
  version: "1.2",
  schema: CORE,
  // Checked below; the package's check is quadratic.
  uniqueKeys: false,
  prettyErrors: false,
  // "silent" would also hide a second document.
  logLevel: "error",
} as const;
/** Skips type detection for keys. */
const STRING_KEYS = { ...OPTIONS, stringKeys: true } as const;

class BlockProblem extends Error {
  readonly code: YamlFailure["code"];
  readonly offset: number;

  constructor(message: string, offset: number, code: YamlFailure["code"] = "yaml_invalid") {
    super(message);
    this.code = code;
    this.offset = offset;
  }
}

type Reader = {
  block: string;
  mapping: YamlMapping;
  keys: number;
  lastKeyWins: boolean;
  lineOf(offset: number): number;
};

function readMapping(block: string, lastKeyWins: boolean): YamlMapping {
  let document = parseDocument(block, STRING_KEYS);
  // Keys that are collections are legal YAML: drops them and reads the rest.
  if (document.errors[0]?.code === "NON_STRING_KEY") document = parseDocument(block, OPTIONS);
  const [error] = document.errors;
  if (error !== undefined) throw new BlockProblem(firstLine(error.message), error.pos[0]);
  return describeMapping(document.contents, block, lastKeyWins);
}

function describeMapping(root: unknown, block: string, lastKeyWins: boolean): YamlMapping {
  const mapping = emptyMapping();
  if (root === null && block.replace(/#.*/g, "").trim() === "") return mapping;
  if (!isMap(root)) throw new BlockProblem(NOT_A_MAPPING, 0);
  mapping.values = readMap(root.items, { block, mapping, keys: 0, lastKeyWins, lineOf: createLineCounter(block) }, 1);
  return mapping;
}

function describeValue(node: unknown, key: string, value: unknown, { block, mapping }: Reader): void {
  if (isScalar(node)) {
    const text = typeof value === "string" ? value : scalarText(node.value, node.source);
    if (text !== null) mapping.texts.set(key, text);
    const end = node.range?.[1] ?? block.length;
    if (node.type === "PLAIN" && end < block.length && block[end] !== "\n") {
      const comment = /^[ \t]*(#[^\n]*)/.exec(block.slice(end, lineEnd(block, end)))?.[1];
      if (comment !== undefined) mapping.comments.set(key, comment);
    }
  } else if ((isMap(node) || isSeq(node)) && node.flow && node.range) {
    mapping.sources.set(key, block.slice(node.range[0], node.range[1]));
  }
}

function readMap(items: Pair<unknown, unknown>[], reader: Reader, depth: number): JsonObject {
  if (depth > MAX_FRONTMATTER_DEPTH) throw tooDeep();
  const object: JsonObject = {};
  const { mapping } = reader;
  for (const pair of items) {
    const offset = offsetOf(pair.key);
    reader.keys += 1;
    if (reader.keys > MAX_FRONTMATTER_KEYS) {
      throw new BlockProblem(`It has more than ${MAX_FRONTMATTER_KEYS} keys.`, offset, "frontmatter_too_large");
    }
    const key = keyOf(pair);
    if (isAlias(pair.key)) throw new BlockProblem("It uses a YAML alias.", offset);
    if (key === null || isDangerousKey(key)) {
      mapping.droppedKeys.push(key ?? "(not a text)");
      continue;
    }
    const isRepeated = Object.hasOwn(object, key);
    if (isRepeated && !reader.lastKeyWins) throw new BlockProblem(`The key "${key}" appears twice.`, offset);
    const value = readValue(pair.value, reader, depth);
    if (isRepeated) {
      const isSame = JSON.stringify(value) === JSON.stringify(object[key]);
      mapping.repeatedKeys.push({ key, line: lineAt(reader.block, offset), isSame });
      if (depth === 1) for (const said of [mapping.texts, mapping.sources, mapping.comments]) said.delete(key);
    }
    object[key] = value;
    if (depth > 1) continue;
    mapping.lines.set(key, reader.lineOf(offset));
    describeValue(pair.value, key, value, reader);
  }
  return object;
}

function readValue(node: unknown, reader: Reader, depth: number): unknown {
  if (isScalar(node)) return readScalar(node.value, node.source);
  if (isAlias(node)) throw new BlockProblem("It uses a YAML alias.", offsetOf(node));
  if (isMap(node)) return readMap(node.items, reader, depth + 1);
  if (!isSeq(node)) return null;
  if (depth >= MAX_FRONTMATTER_DEPTH) throw tooDeep();
  return node.items.map((item) => readValue(item, reader, depth + 1));
}

function readScalar(value: unknown, source: string | undefined): unknown {
  if (typeof value === "boolean") return value;
  if (typeof value === "number" && String(value) === source) return value;
  return scalarText(value, source);
}

function scalarText(value: unknown, source: string | undefined): string | null {
  if (typeof value === "string") return storableText(value);
  return value === null || value === undefined ? null : (source ?? String(value));
}

function keyOf({ key }: Pair<unknown, unknown>): string | null {
  if (!isScalar(key) || (key.type === "PLAIN" && NULL.test(key.source ?? ""))) return null;
  return scalarText(key.value, key.source);
}

const NULL = /^(?:~|null|Null|NULL)?$/;

function tooDeep(): BlockProblem {
  const message = `It is nested deeper than ${MAX_FRONTMATTER_DEPTH} levels.`;
  return new BlockProblem(message, 0, "frontmatter_too_large");
}

function offsetOf(node: unknown): number {
  return (node as Node | null)?.range?.[0] ?? 0;
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end === -1 ? text.length : end;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

function createLineCounter(text: string): (offset: number) => number {
  let line = 1;
  let at = 0;
  return (offset) => {
    for (let next = text.indexOf("\n", at); next !== -1 && next < offset; next = text.indexOf("\n", at)) {
      line += 1;
      at = next + 1;
    }
    return line;
  };
}

function isLonger(text: string, maxBytes: number): boolean {
  // A UTF-16 unit takes at most three UTF-8 bytes, so most texts need no encoding.
  if (text.length * 3 <= maxBytes) return false;
  return text.length > maxBytes || new TextEncoder().encode(text).length > maxBytes;
}

function firstLine(message: string): string {
  return message.split("\n", 1)[0] ?? message;
}
