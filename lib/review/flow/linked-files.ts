import type { ScanFile } from "../scan/scan-file";
import { secretFile } from "./secret-places";
import { NOTHING, textValue, type Value } from "./values";

export type LinkedFile = Pick<ScanFile, "path" | "name" | "extension" | "kind" | "text">;

const MAX_LINKED = 8;
const MAX_LINKED_CHARS = 100_000;
const MAX_ITEMS = 60;
const MAX_DATA_CHARS = 20_000;
const MAX_NESTING = 5;

const FILE_NAMES =
  /[\w-][\w.-]{0,80}\.(?:json|ya?ml|toml|txt|csv|tsv|lst|list|conf|cfg|ini|dat|sh|bash|py|[mc]?[jt]s)\b/g;
const MODULES = /["'`]\.{1,2}\/(?:[\w-]{1,60}\/){0,6}([\w.-]{1,80})["'`]/g;
const PYTHON_IMPORTS = /^[ \t]*(?:from[ \t]+([\w.]{1,120})[ \t]+)?import[ \t]+([\w., \t]{1,300})/gm;
const ENDINGS = ["", ".py", ".js", ".mjs", ".ts", ".cjs", ".json"];

/** The files of a skill by the last part of their paths, in lower case. Pages and binary files are no parts of scripts. */
export function indexNames(files: readonly ScanFile[]): Map<string, ScanFile> {
  const found = new Map<string, ScanFile>();
  for (const file of files)
    if (file.kind !== "binary" && !/^mdx?$/.test(file.extension) && file.text.length <= MAX_LINKED_CHARS)
      found.set(file.name, found.get(file.name) ?? file);
  return found;
}

/** Files of the skill that a script imports, starts or reads, at most 8. */
export function linkedFiles({ path, text, kind }: ScanFile, byName: ReadonlyMap<string, ScanFile>): ScanFile[] {
  const found = new Set<ScanFile>();
  if (byName.size === 0 || text.length > MAX_LINKED_CHARS) return [];
  const add = (name: string) => {
    for (const ending of ENDINGS) {
      const file = found.size < MAX_LINKED ? byName.get(`${name.toLowerCase()}${ending}`) : undefined;
      if (file !== undefined && file.path !== path) found.add(file);
    }
  };
  for (const [name] of text.matchAll(FILE_NAMES)) if (byName.has(name.toLowerCase())) add(name);
  if (kind !== "script") return [...found];
  for (const [, name = ""] of text.matchAll(MODULES)) add(name);
  for (const [, module = "", names = ""] of text.matchAll(PYTHON_IMPORTS))
    for (const name of [...module.split("."), ...names.split(",").map((part) => part.trim().split(/[\s.]/)[0] ?? "")])
      if (name !== "") add(name);
  return [...found];
}

/** The linked file that a path or an import names. */
export function linkedFile(linked: readonly LinkedFile[], path: string): LinkedFile | undefined {
  if (linked.length === 0 || path === "") return undefined;
  const name = (path.split(/[\\/]/).at(-1) ?? "").replace(/^[\s"'@]+|["'\s]+$/g, "").toLowerCase();
  return linked.find((file) => name !== "" && ENDINGS.some((ending) => file.name === `${name}${ending}`));
}

const read = new WeakMap<LinkedFile, Value>();

function readData({ text: whole, extension }: LinkedFile): Value {
  const text = whole.slice(0, MAX_DATA_CHARS);
  const parsed = /^json[c5]?$/.test(extension) ? parseJson(text) : null;
  const value = parsed ?? listOf(text.split("\n").slice(0, 400).flatMap(wordsOf).map(textValue));
  return { ...value, ref: "data()" };
}

/** What a script gets that reads a linked file of data; null for scripts and other paths. */
export function dataOf(linked: readonly LinkedFile[], paths: readonly string[]): Value | null {
  for (const path of paths) {
    const file = linkedFile(linked, path);
    if (file === undefined || file.kind === "script") continue;
    const value = read.get(file) ?? readData(file);
    read.set(file, value);
    return value;
  }
  return null;
}

function wordsOf(line: string): string[] {
  const word = line
    .replace(/^\s*(?:- )?\s*(?:["']?[\w.-]{1,60}["']?\s*[:=](?!\/\/)\s*)?/, "")
    .replace(/^["']|["'],?\s*$/g, "")
    .trim();
  return word === "" || /^[#;[]/.test(word) ? [] : [word];
}

/** Places of secrets first: only some of many texts are followed. */
function listOf(items: readonly Value[]): Value {
  const rank = ({ texts: [text = ""] }: Value) => (secretFile(text) !== null ? 0 : /:\/\//.test(text) ? 1 : 2);
  const sorted = [...items].sort((a, b) => rank(a) - rank(b)).slice(0, MAX_ITEMS);
  return { ...NOTHING, texts: sorted.flatMap(({ texts }) => texts).slice(0, 6), items: sorted };
}

function parseJson(text: string): Value | null {
  try {
    return toValue(JSON.parse(text), 0);
  } catch {
    return null;
  }
}

function toValue(given: unknown, nesting: number): Value {
  if (typeof given === "string") return textValue(given);
  if (typeof given !== "object" || given === null || nesting > MAX_NESTING) return NOTHING;
  if (Array.isArray(given)) return listOf(given.slice(0, MAX_ITEMS).map((item) => toValue(item, nesting + 1)));
  const props = new Map(
    Object.entries(given)
      .slice(0, MAX_ITEMS)
      .map(([key, value]) => [key, toValue(value, nesting + 1)]),
  );
  return { ...listOf([...props.values()]), props };
}
