import { MAX_FRONTMATTER_BYTES } from "@/lib/skill-format/archive/limits";
import { KNOWN_KEYS, readField } from "@/lib/skill-format/dialects/field-names";
import { writeYaml } from "@/lib/skill-format/export/write-yaml";
import { readToml } from "./read-toml";

/** A frontmatter that does not start on the first line; `before` is text above it that belongs to the body. */
export type Opening = { text: string; firstLine: number; before: string };

const FENCE = /^---[ \t]*$/;
/** Bounded: millions of letters in a group come close to the memory that an expression may take. */
const WRAPPER = /^(`{3,200}|~{3,200})[ \t]*[\w-]*[ \t]*$/;
const MAX_SHORT_LINE = 80;
const MAX_HIDING_LINES = 200;

/**
 * Finds a frontmatter behind blank lines, HTML comments, one code fence around the whole, or one heading or short line.
 * Also finds a block without its opening line, on one line, or without colons. Null if none.
 */
export function findOpening(text: string): Opening | null {
  const lines = text.split("\n").map((line) => line.replace(/\r$/, ""));
  const oneLine = readOneLine(lines);
  if (oneLine !== null) return oneLine;
  const start = skipHidden(lines);
  if (start.at < lines.length && FENCE.test(lines[start.at] ?? "")) return start.at === 0 ? null : cut(lines, start);
  return beginsWithField(lines, start.at)
    ? cut(["---", ...lines.slice(start.at)], { ...start, at: 0 }, start.at)
    : null;
}

type Start = { at: number; before: string[]; wrapper: string | null };

function cut(lines: string[], { at, before, wrapper }: Start, firstLine = at + 1): Opening {
  const rest = lines.slice(at);
  if (wrapper !== null) {
    const last = rest.findLastIndex((line) => line.trim() !== "");
    if (rest[last]?.trim() === wrapper) rest.splice(last, 1);
  }
  return { text: rest.join("\n"), firstLine, before: before.length === 0 ? "" : `${before.join("\n")}\n` };
}

function skipHidden(lines: string[]): Start {
  const start: Start = { at: 0, before: [], wrapper: null };
  let hasSkippedLine = false;
  while (start.at < Math.min(lines.length, MAX_HIDING_LINES)) {
    const line = lines[start.at] ?? "";
    const wrapper = WRAPPER.exec(line)?.[1];
    if (FENCE.test(line) || beginsWithField(lines, start.at)) break;
    if (line.trim() === "") {
      start.at += 1;
    } else if (line.trimStart().startsWith("<!--")) {
      const end = lines.findIndex((other, index) => index >= start.at && other.includes("-->"));
      if (end === -1) break;
      start.before.push(...lines.slice(start.at, end + 1));
      start.at = end + 1;
    } else if (wrapper !== undefined && start.wrapper === null) {
      start.wrapper = wrapper;
      start.at += 1;
    } else if (!hasSkippedLine && line.length <= MAX_SHORT_LINE && !/^---(?!-+\s*$)/.test(line)) {
      hasSkippedLine = true;
      // A line of dashes was probably meant as the fence.
      if (!/^[-\u2013\u2014*=+~;]+\s*$/.test(line)) start.before.push(line);
      start.at += 1;
    } else {
      break;
    }
  }
  return start;
}

/** Requires `name: x` and a `description: y` near it, because prose may begin with one of them. */
function beginsWithField(lines: string[], at: number): boolean {
  if (!/^name:[ \t]+\S/.test(lines[at] ?? "")) return false;
  return lines.slice(at, at + 20).some((line) => /^description:[ \t]*\S/.test(line));
}

/** `--- name: x description: y ---`, and `## name: x description: y` below a `---` line, as a formatter leaves it. */
function readOneLine(lines: string[]): Opening | null {
  const first = lines[0] ?? "";
  if (/^---[ \t]+\S+:[ \t]/.test(first) && first.length <= MAX_FRONTMATTER_BYTES) {
    const joined = first.slice(3).trim();
    return asBlock(joined.endsWith("---") ? joined.slice(0, -3).trim() : joined, lines.slice(1), 1);
  }
  if (!FENCE.test(first)) return null;
  const at = lines.findIndex((line, index) => index > 0 && line.trim() !== "");
  const line = lines[at] ?? "";
  const [, heading] = /^#{1,6}[ \t]+(name:[ \t].*)$/.exec(line) ?? [];
  if (heading !== undefined) return asBlock(heading, dropFences(lines.slice(at + 1)), at + 1);
  return readWithoutColons(lines);
}

function asBlock(joined: string, rest: string[], firstLine: number): Opening | null {
  const fields = splitFields(joined);
  if (!fields.some((field) => field.startsWith("name:")) || fields.length < 2) return null;
  return { text: ["---", ...fields, "---", ...rest].join("\n"), firstLine, before: "" };
}

function splitFields(text: string): string[] {
  const starts = [...text.matchAll(/(?:^|\s)([\w-]+):(?=\s)/g)]
    .filter(([, key]) => KNOWN_KEYS.has(key ?? ""))
    .map((match) => match.index);
  return starts.map((start, index) => text.slice(start, starts[index + 1]).trim());
}

function dropFences(lines: string[]): string[] {
  const first = lines.findIndex((line) => line.trim() !== "" && !/^-{3,}\s*$/.test(line));
  return first === -1 ? [] : lines.slice(first);
}

/** `name x` and `description y` on separate lines, without their colons. */
function readWithoutColons(lines: string[]): Opening | null {
  const end = lines.findIndex((line, index) => index > 0 && FENCE.test(line));
  const block = lines.slice(1, end);
  const isField = (line: string) => /^(name|description)[ \t]+[^:=\s]/.test(line);
  if (end === -1 || block.filter(isField).length < 2) return null;
  const repaired = block.map((line) => (isField(line) ? line.replace(/[ \t]+/, ": ") : line));
  return { text: ["---", ...repaired, ...lines.slice(end)].join("\n"), firstLine: 1, before: "" };
}

const MAX_LINES = 200;

/**
 * Frontmatter in non-standard forms: TOML between `+++`, a JSON object, inside a comment, quotation or indentation, a
 * language or text after the first fence, line breaks written as `\n`, and fields in bold, as a list or a table. Yields
 * each as an opening with fences, the most usual first; the caller checks whether it can be read. Evaluates nothing.
 */
export function* findUnusualOpenings(text: string): Generator<Opening> {
  const head = text.slice(0, 2 * MAX_FRONTMATTER_BYTES);
  const lines = text.split("\n").map((line) => line.replace(/\r$/, ""));
  const at = lines.findIndex((line) => line.trim() !== "");
  if (at === -1) return;
  for (const find of [
    readOpeningText,
    readWrapped,
    readCommentLines,
    readComment,
    readJson,
    readTomlBlock,
    readFieldLines,
  ]) {
    const opening = find(lines, at);
    if (opening !== null) yield opening;
  }
  if (lines.length <= 3 && head.split("\\n").length > 4) yield* unescapeBreaks(text);
}

/** `---yaml`, `--- # a comment` and `---name: x`: text after the first fence. */
function readOpeningText(lines: string[], at: number): Opening | null {
  const [, rest] = /^---[ \t]*(\S.*)$/.exec(lines[at] ?? "") ?? [];
  if (rest === undefined) return null;
  if (/^(?:ya?ml|json|markdown|md|frontmatter)\s*$/i.test(rest) || /^(?:#|<br)/.test(rest)) {
    return { text: ["---", ...lines.slice(at + 1)].join("\n"), firstLine: at + 1, before: "" };
  }
  if (readField(rest) === null) return null;
  return { text: ["---", rest, ...lines.slice(at + 1)].join("\n"), firstLine: at, before: "" };
}

/** The whole file quoted with `>` or indented. */
function readWrapped(lines: string[], at: number): Opening | null {
  const [, prefix] = /^(\s+|>\s?)---\s*$/.exec(lines[at] ?? "") ?? [];
  if (prefix === undefined) return null;
  const isQuoted = prefix.startsWith(">");
  const sign = isQuoted ? /^>\s?/ : new RegExp(`^\\s{0,${prefix.length}}`);
  const isInside = (line: string) => line.startsWith(isQuoted ? ">" : prefix) || line.trim() === "";
  const end = lines.findIndex((line, index) => index > at && !isInside(line));
  const inside = lines.slice(at, end === -1 ? undefined : end).map((line) => line.replace(sign, ""));
  return { text: [...inside, ...(end === -1 ? [] : lines.slice(end))].join("\n"), firstLine: at + 1, before: "" };
}

/** A few `#` or `//` comment lines directly above the fence. */
function readCommentLines(lines: string[], at: number): Opening | null {
  const fence = lines.slice(0, at + 10).findIndex((line, index) => index > at && /^-{3,}\s*$/.test(line));
  if (fence === -1) return null;
  const above = lines.slice(at, fence);
  if (!above.every((line) => /^(?:#|\/\/|%)/.test(line))) return null;
  return { text: ["---", ...lines.slice(fence + 1)].join("\n"), firstLine: fence + 1, before: `${above.join("\n")}\n` };
}

/** `<!--` and `-->` around the fields, with or without fences. */
function readComment(lines: string[], at: number): Opening | null {
  const first = lines[at] ?? "";
  if (!first.trimStart().startsWith("<!--")) return null;
  const end = lines.findIndex((line, index) => index >= at && line.includes("-->"));
  if (end === -1 || end - at > MAX_LINES) return null;
  const inside = lines
    .slice(at, end + 1)
    .join("\n")
    .replace(/^\s*<!--/, "")
    .replace(/-->[\s\S]*$/, "");
  const block = inside.split("\n").filter((line) => !/^\s*-{3,}\s*$/.test(line));
  return fence(block, lines.slice(end + 1), at);
}

/** A JSON object at the start, alone or between `;;;` lines. */
function readJson(lines: string[], at: number): Opening | null {
  const isFenced = /^;{3,}\s*$/.test(lines[at] ?? "");
  const start = isFenced ? at + 1 : at;
  if (!(lines[start] ?? "").trimStart().startsWith("{")) return null;
  const end = lines
    .slice(start, start + MAX_LINES)
    .findIndex((line) => /^[{}].*$/.test(line) && line.trimEnd().endsWith("}"));
  if (end === -1) return null;
  const rest = lines.slice(start + end + 1);
  return fence(
    lines.slice(start, start + end + 1),
    isFenced && /^;{3,}/.test(rest[0] ?? "") ? rest.slice(1) : rest,
    start,
  );
}

/** TOML between `+++` lines, or after `---toml`. */
function readTomlBlock(lines: string[], at: number): Opening | null {
  const [mark] = /^(?:\+{3}|---)(?=[ \t]*(?:toml)?\s*$)/i.exec(lines[at] ?? "") ?? [];
  if (mark === undefined) return null;
  const end = lines.findIndex((line, index) => index > at && line.trimEnd() === mark);
  if (end === -1) return null;
  const toml = readToml(lines.slice(at + 1, end).join("\n"));
  return toml.ok ? fence(writeYaml(toml.value).trimEnd().split("\n"), lines.slice(end + 1), at) : null;
}

/** Fields in any order and form at the top or below one heading, without fences. Requires a name and a description. */
function readFieldLines(lines: string[], at: number): Opening | null {
  const heading = /^#{1,2}\s/.test(lines[at] ?? "") && readField(lines[at] ?? "") === null;
  const start = heading ? lines.findIndex((line, index) => index > at && line.trim() !== "") : at;
  if (start === -1) return null;
  const end = lines.findIndex((line, index) => index >= start && index < start + MAX_LINES && !isFieldLine(line));
  const block = lines.slice(start, end === -1 ? undefined : end);
  const fields = block.map((line) => readField(line) ?? "");
  const isBoth = ["name:", "description:"].every((key) => fields.some((field) => field.startsWith(key)));
  if (!isBoth) return null;
  const rest = end === -1 ? [] : lines.slice(end);
  const opening = fence(
    fields.filter((field) => field !== ""),
    /^-{3,}\s*$/.test(rest[0] ?? "") ? rest.slice(1) : rest,
    start - 1,
  );
  return { ...opening, before: heading ? `${lines[at]}\n` : "" };
}

function isFieldLine(line: string): boolean {
  return readField(line) !== null || /^[|:\s-]*-{3}[|:\s-]*\|$/.test(line) || /^\|\s*(?:field|key)\s*\|/i.test(line);
}

/** A file on one line with escaped line breaks. */
function* unescapeBreaks(text: string): Generator<Opening> {
  const plain = text.trim().replace(/^"|"$/g, "").replaceAll("\\n", "\n").replaceAll('\\"', '"');
  if (/^---\n/.test(plain)) yield { text: plain, firstLine: 1, before: "" };
}

function fence(block: string[], rest: string[], firstLine: number): Opening {
  return { text: ["---", ...block, "---", ...rest].join("\n"), firstLine: firstLine + 1, before: "" };
}
