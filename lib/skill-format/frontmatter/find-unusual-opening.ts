import { MAX_FRONTMATTER_BYTES } from "@/lib/skill-format/archive/limits";
import { readField } from "@/lib/skill-format/dialects/tidy-fields";
import { readToml } from "@/lib/skill-format/manifest/read-toml";
import type { Opening } from "./find-opening";
import { writeYaml } from "./write-yaml";

const MAX_LINES = 200;

/**
 * Frontmatter in forms that no specification knows but people and programs write: TOML between `+++`, a JSON object, a comment, a
 * quotation or an indentation around the whole, a language or text behind the first fence, line breaks written as `\n`, and fields
 * in bold, as a list or a table. Each as an opening with fences of its own; whoever asks looks whether it can be read. Data only:
 * nothing here is evaluated. Nearest to the usual form first.
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

/** `---yaml`, `--- # a comment` and `---name: x`: the first fence has more on its line. */
function readOpeningText(lines: string[], at: number): Opening | null {
  const [, rest] = /^---[ \t]*(\S.*)$/.exec(lines[at] ?? "") ?? [];
  if (rest === undefined) return null;
  if (/^(?:ya?ml|json|markdown|md|frontmatter)\s*$/i.test(rest) || /^(?:#|<br)/.test(rest)) {
    return { text: ["---", ...lines.slice(at + 1)].join("\n"), firstLine: at + 1, before: "" };
  }
  if (readField(rest) === null) return null;
  return { text: ["---", rest, ...lines.slice(at + 1)].join("\n"), firstLine: at, before: "" };
}

/** The whole behind `>` or blanks: `> ---`. */
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

/** A few lines of comments, each beginning with `#` or `//`, right above the fence. */
function readCommentLines(lines: string[], at: number): Opening | null {
  const fence = lines.slice(0, at + 10).findIndex((line, index) => index > at && /^-{3,}\s*$/.test(line));
  if (fence === -1) return null;
  const above = lines.slice(at, fence);
  if (!above.every((line) => /^(?:#|\/\/|%)/.test(line))) return null;
  return { text: ["---", ...lines.slice(fence + 1)].join("\n"), firstLine: fence + 1, before: `${above.join("\n")}\n` };
}

/** `<!--` and `-->` around the fields, with or without fences inside. */
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

/** A JSON object at the beginning, alone or between `;;;` lines. */
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

/** TOML between `+++` lines, or behind `---toml`. */
function readTomlBlock(lines: string[], at: number): Opening | null {
  const [mark] = /^(?:\+{3}|---)(?=[ \t]*(?:toml)?\s*$)/i.exec(lines[at] ?? "") ?? [];
  if (mark === undefined) return null;
  const end = lines.findIndex((line, index) => index > at && line.trimEnd() === mark);
  if (end === -1) return null;
  const toml = readToml(lines.slice(at + 1, end).join("\n"));
  return toml.ok ? fence(writeYaml(toml.value).trimEnd().split("\n"), lines.slice(end + 1), at) : null;
}

/** Fields in any order and form at the top or below one heading, without fences: there must be a name and a description. */
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

/** A file on one line with its line breaks written out. */
function* unescapeBreaks(text: string): Generator<Opening> {
  const plain = text.trim().replace(/^"|"$/g, "").replaceAll("\\n", "\n").replaceAll('\\"', '"');
  if (/^---\n/.test(plain)) yield { text: plain, firstLine: 1, before: "" };
}

function fence(block: string[], rest: string[], firstLine: number): Opening {
  return { text: ["---", ...block, "---", ...rest].join("\n"), firstLine: firstLine + 1, before: "" };
}
