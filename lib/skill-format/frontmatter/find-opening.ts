import { MAX_FRONTMATTER_BYTES } from "@/lib/skill-format/archive/limits";
import { KNOWN_KEYS } from "@/lib/skill-format/dialects/known-keys";

/**
 * A frontmatter whose opening is not the first line. `text` begins with `---`; `firstLine` is that line's number in the file;
 * `before` is what stood above it and belongs to the body (a comment, a heading).
 */
export type Opening = { text: string; firstLine: number; before: string };

const FENCE = /^---[ \t]*$/;
const WRAPPER = /^(`{3,}|~{3,})[ \t]*[\w-]*[ \t]*$/;
const MAX_SHORT_LINE = 80;
const MAX_HIDING_LINES = 200;

/**
 * Looks past what commonly hides a frontmatter, and no further: blank lines, HTML comments, one code fence around the
 * whole, and one heading or short line. Also a block without its opening line, one whose fields stand all on one line, and
 * one whose fields have no colons. Null when there is none.
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
      // Nothing but dashes or the like was meant as the fence.
      if (!/^[-\u2013\u2014*=+~;]+\s*$/.test(line)) start.before.push(line);
      start.at += 1;
    } else {
      break;
    }
  }
  return start;
}

/** `name: x` and, close to it, `description: y`: one field alone may be the first line of a text. */
function beginsWithField(lines: string[], at: number): boolean {
  if (!/^name:[ \t]+\S/.test(lines[at] ?? "")) return false;
  return lines.slice(at, at + 20).some((line) => /^description:[ \t]*\S/.test(line));
}

/** `--- name: x description: y ---`, and the same below a `---` line as a formatter leaves it: `## name: x description: y`. */
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

/** `name x` and `description y` on lines of their own: the colons were lost. */
function readWithoutColons(lines: string[]): Opening | null {
  const end = lines.findIndex((line, index) => index > 0 && FENCE.test(line));
  const block = lines.slice(1, end);
  const isField = (line: string) => /^(name|description)[ \t]+[^:=\s]/.test(line);
  if (end === -1 || block.filter(isField).length < 2) return null;
  const repaired = block.map((line) => (isField(line) ? line.replace(/[ \t]+/, ": ") : line));
  return { text: ["---", ...repaired, ...lines.slice(end)].join("\n"), firstLine: 1, before: "" };
}
