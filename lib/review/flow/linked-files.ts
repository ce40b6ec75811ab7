import type { ScanFile } from "../scan/scan-file";
import { secretFile } from "./secret-places";
import { domainOf, NOTHING, textValue, type Value } from "./values";

export type LinkedFile = Pick<ScanFile, "path" | "name" | "extension" | "kind" | "text">;

const MAX_LINKED = 8;
const MAX_LINKED_CHARS = 100_000;
const MAX_ITEMS = 60;
const MAX_VALUES = 5_000;
const MAX_NESTING = 5;

/** The name before it is looked up where an ending is found: a search for names first takes long in text without any. */
const FILE_NAMES =
  /\.(?:json|ya?ml|toml|txt|csv|tsv|lst|list|conf|cfg|ini|dat|sh|bash|py|[mc]?[jt]s)\b(?<=([\w-][\w.-]{0,80}\.\w{2,5}))/g;
const MODULES = /["'`]\.{1,2}\/(?:[\w-]{1,60}\/){0,6}([\w.-]{1,80})["'`]/g;
const PYTHON_IMPORTS = /^[ \t]*(?:from[ \t]+([\w.]{1,120})[ \t]+)?import[ \t]+([\w., \t]{1,300})/gm;
const ENDINGS = ["", ".py", ".js", ".mjs", ".ts", ".cjs", ".json"];

/** The files of a skill by the last part of their paths, in lower case. Pages and binary files are no parts of scripts. */
export function indexNames(files: readonly ScanFile[]): Map<string, ScanFile> {
  const found = new Map<string, ScanFile>();
  for (const file of files)
    if (file.kind !== "binary" && !/^mdx?$/.test(file.extension)) found.set(file.name, found.get(file.name) ?? file);
  return found;
}

/** Files that a script imports, starts or reads, and of these the ones that are not followed with it. */
export type Links = { linked: ScanFile[]; unlinked: ScanFile[] };

type LinkOptions = { leftChars: number; speaks: (file: ScanFile) => boolean };

/** At most 8 files, of 100,000 characters each and `leftChars` together. Of more, those that speak with the network are first. */
export function linkedFiles(
  { path, text, kind }: ScanFile,
  byName: ReadonlyMap<string, ScanFile>,
  { leftChars, speaks }: LinkOptions,
): Links {
  const links: Links = { linked: [], unlinked: [] };
  if (byName.size < 2) return links;
  const found = new Set<ScanFile>();
  const add = (name: string) => {
    for (const ending of ENDINGS) {
      const file = byName.get(`${name.toLowerCase()}${ending}`);
      if (file !== undefined && file.path !== path) found.add(file);
    }
  };
  for (const [, name = ""] of text.matchAll(FILE_NAMES)) if (byName.has(name.toLowerCase())) add(name);
  if (kind === "script") {
    for (const [, name = ""] of text.matchAll(MODULES)) add(name);
    for (const [, module = "", names = ""] of text.matchAll(PYTHON_IMPORTS))
      for (const name of [...module.split("."), ...names.split(",").map((part) => part.trim().split(/[\s.]/)[0] ?? "")])
        if (name !== "") add(name);
  }
  const all = [...found];
  const sorted = all.length > MAX_LINKED ? all.sort((a, b) => Number(speaks(b)) - Number(speaks(a))) : all;
  let left = leftChars;
  for (const file of sorted) {
    const isLinked = links.linked.length < MAX_LINKED && file.text.length <= MAX_LINKED_CHARS && left > 0;
    links[isLinked ? "linked" : "unlinked"].push(file);
    if (isLinked) left -= file.text.length;
  }
  return links;
}

/** The linked file that a path or an import names. */
export function linkedFile(linked: readonly LinkedFile[], path: string): LinkedFile | undefined {
  if (linked.length === 0 || path === "") return undefined;
  const name = (path.split(/[\\/]/).at(-1) ?? "").replace(/^[\s"'@]+|["'\s]+$/g, "").toLowerCase();
  return linked.find((file) => name !== "" && ENDINGS.some((ending) => file.name === `${name}${ending}`));
}

const read = new WeakMap<LinkedFile, { value: Value; isCut: boolean }>();

/** Reads a file of data once. `isCut` is set when an address or a place of secrets in it may have been left out. */
type Reading = { values: number; isCut: boolean };

function readData({ text, extension }: LinkedFile): { value: Value; isCut: boolean } {
  const reading: Reading = { values: 0, isCut: false };
  const parsed = /^json[c5]?$/.test(extension) ? parseJson(text, reading) : null;
  const value = parsed ?? listOf(text.split("\n").flatMap(wordsOf).map(textValue), reading);
  return { value: { ...value, ref: "data()" }, isCut: reading.isCut };
}

/** Whether a script read a file of data of which something was left out. */
export function isDataCut(linked: readonly LinkedFile[]): boolean {
  return linked.some((file) => read.get(file)?.isCut === true);
}

/** What a script gets that reads a linked file of data; null for scripts and other paths. */
export function dataOf(linked: readonly LinkedFile[], paths: readonly string[]): Value | null {
  for (const path of paths) {
    const file = linkedFile(linked, path);
    if (file === undefined || file.kind === "script") continue;
    const known = read.get(file) ?? readData(file);
    read.set(file, known);
    return known.value;
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

/** Places of secrets first, then an address of each domain: only some of many texts are followed. */
function listOf(items: readonly Value[], reading: Reading): Value {
  const domains = new Set<string>();
  const ranked = items.map((value) => {
    const [text = ""] = value.texts;
    if (secretFile(text) !== null) return { value, rank: 0 };
    const host = /:\/\/(?:[^/@\s]{0,80}@)?([^/:?#\s"']+)/.exec(text)?.[1];
    if (host === undefined) return { value, rank: 3 };
    const domain = domainOf(host.toLowerCase());
    const isNew = !domains.has(domain);
    domains.add(domain);
    return { value, rank: isNew ? 1 : 2 };
  });
  const sorted = ranked.sort((a, b) => a.rank - b.rank);
  if (sorted[MAX_ITEMS]?.rank === 1) reading.isCut = true;
  const kept = sorted.slice(0, MAX_ITEMS).map(({ value }) => value);
  return { ...NOTHING, texts: kept.flatMap(({ texts }) => texts).slice(0, 6), items: kept };
}

function parseJson(text: string, reading: Reading): Value | null {
  try {
    return toValue(JSON.parse(text), 0, reading);
  } catch {
    return null;
  }
}

function toValue(given: unknown, nesting: number, reading: Reading): Value {
  if (typeof given === "string") return textValue(given);
  if (typeof given !== "object" || given === null) return NOTHING;
  reading.values += 1;
  if (nesting > MAX_NESTING || reading.values > MAX_VALUES) {
    reading.isCut ||= JSON.stringify(given).includes("://");
    return NOTHING;
  }
  if (Array.isArray(given))
    return listOf(
      given.map((item) => toValue(item, nesting + 1, reading)),
      reading,
    );
  const props = new Map(Object.entries(given).map(([key, value]) => [key, toValue(value, nesting + 1, reading)]));
  return { ...listOf([...props.values()], reading), props };
}
