import { isAlias, isMap, isScalar, isSeq, type Node, type Pair, parseDocument } from "yaml";
import { isDangerousKey } from "./dangerous-key";
import { MAX_FRONTMATTER_BYTES, MAX_FRONTMATTER_DEPTH, MAX_FRONTMATTER_KEYS } from "./limits";
import type { JsonObject } from "./schema";
import { storableText } from "./storable-text";

/** A mapping as plain JSON; for each top-level scalar also its text as written, and for each key its line in the block. */
export type YamlMapping = {
  values: JsonObject;
  texts: Map<string, string>;
  lines: Map<string, number>;
  droppedKeys: string[];
};
export type YamlFailure = { code: "yaml_invalid" | "frontmatter_too_large"; line: number; message: string };

/**
 * Reads YAML 1.2 (core schema) that must be a mapping: no aliases, merges, custom tags or repeated keys, at most 64 KiB,
 * 200 keys and 8 levels. A number that would not print as it was written (`1.10`) stays text. Keys such as `__proto__`
 * are dropped and listed. Never throws.
 */
export function parseYamlBlock(block: string): YamlMapping | YamlFailure {
  if (new TextEncoder().encode(block).length > MAX_FRONTMATTER_BYTES) {
    return { code: "frontmatter_too_large", line: 1, message: `It is larger than ${MAX_FRONTMATTER_BYTES} bytes.` };
  }
  try {
    return readMapping(block);
  } catch (error) {
    if (error instanceof BlockProblem) {
      return { code: error.code, line: lineAt(block, error.offset), message: error.message };
    }
    // The YAML package reports its own problems in `errors`; what it throws (a stack that is too deep) has no place.
    return { code: "yaml_invalid", line: 1, message: "It cannot be read." };
  }
}

class BlockProblem extends Error {
  readonly code: YamlFailure["code"];
  readonly offset: number;

  constructor(message: string, offset: number, code: YamlFailure["code"] = "yaml_invalid") {
    super(message);
    this.code = code;
    this.offset = offset;
  }
}

function readMapping(block: string): YamlMapping {
  const document = parseDocument(block, {
    version: "1.2",
    schema: "core",
    merge: false,
    // Repeated keys are refused below: the package compares each key with every other.
    uniqueKeys: false,
    prettyErrors: false,
    // "silent" would also hide that there is a second document.
    logLevel: "error",
  });
  const [error] = document.errors;
  if (error !== undefined) throw new BlockProblem(firstLine(error.message), error.pos[0]);
  const root = document.contents;
  const mapping: YamlMapping = { values: {}, texts: new Map(), lines: new Map(), droppedKeys: [] };
  if (root === null && block.replace(/#.*/g, "").trim() === "") return mapping;
  if (!isMap(root)) throw new BlockProblem("It is not a mapping of names to values.", 0);
  const reader = { block, keys: 0, droppedKeys: mapping.droppedKeys };
  mapping.values = readMap(root.items, reader, 1);
  for (const pair of root.items) {
    const key = keyOf(pair);
    if (key === null || !Object.hasOwn(mapping.values, key)) continue;
    mapping.lines.set(key, lineAt(block, offsetOf(pair.key)));
    const text = isScalar(pair.value) ? scalarText(pair.value.value, pair.value.source) : null;
    if (text !== null) mapping.texts.set(key, text);
  }
  return mapping;
}

type Reader = { block: string; keys: number; droppedKeys: string[] };

function readMap(items: Pair<unknown, unknown>[], reader: Reader, depth: number): JsonObject {
  if (depth > MAX_FRONTMATTER_DEPTH) {
    throw new BlockProblem(`It is nested deeper than ${MAX_FRONTMATTER_DEPTH} levels.`, 0, "frontmatter_too_large");
  }
  const object: JsonObject = {};
  for (const pair of items) {
    const offset = offsetOf(pair.key);
    reader.keys += 1;
    if (reader.keys > MAX_FRONTMATTER_KEYS) {
      throw new BlockProblem(`It has more than ${MAX_FRONTMATTER_KEYS} keys.`, offset, "frontmatter_too_large");
    }
    const key = keyOf(pair);
    if (isAlias(pair.key)) throw new BlockProblem("It uses a YAML alias.", offset);
    if (key === null || isDangerousKey(key)) {
      reader.droppedKeys.push(key ?? "(not a text)");
      continue;
    }
    if (Object.hasOwn(object, key)) throw new BlockProblem(`The key "${key}" appears twice.`, offset);
    object[key] = readValue(pair.value, reader, depth);
  }
  return object;
}

function readValue(node: unknown, reader: Reader, depth: number): unknown {
  if (isAlias(node)) throw new BlockProblem("It uses a YAML alias.", offsetOf(node));
  if (isMap(node)) return readMap(node.items, reader, depth + 1);
  if (isSeq(node)) {
    if (depth >= MAX_FRONTMATTER_DEPTH) {
      throw new BlockProblem(`It is nested deeper than ${MAX_FRONTMATTER_DEPTH} levels.`, 0, "frontmatter_too_large");
    }
    return node.items.map((item) => readValue(item, reader, depth + 1));
  }
  return isScalar(node) ? readScalar(node.value, node.source) : null;
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

function keyOf(pair: Pair<unknown, unknown>): string | null {
  return isScalar(pair.key) ? scalarText(pair.key.value, pair.key.source) : null;
}

function offsetOf(node: unknown): number {
  return (node as Node | null)?.range?.[0] ?? 0;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

function firstLine(message: string): string {
  return message.split("\n", 1)[0] ?? message;
}
