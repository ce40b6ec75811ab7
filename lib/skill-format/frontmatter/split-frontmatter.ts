import { KNOWN_KEYS } from "@/lib/skill-format/dialects/field-names";

/** `block` is the YAML between the fences with LF line ends; it starts on line 2 of the file. */
export type SplitFrontmatter =
  | { kind: "found"; block: string; body: string }
  | { kind: "absent" | "empty_file" | "bad_fence" | "unclosed"; body: string };

/**
 * Splits a SKILL.md at its fences, which are exactly `---` (trailing blanks allowed, LF or CRLF). A first line such as
 * `---js`, which names a language to evaluate, is `bad_fence`.
 */
export function splitFrontmatter(text: string): SplitFrontmatter {
  const first = lineEnd(text, 0);
  const opening = text.slice(0, first);
  if (!FENCE.test(opening)) {
    if (text.trim() === "") return { kind: "empty_file", body: text };
    return { kind: opening.startsWith("---") && !RULE.test(opening) ? "bad_fence" : "absent", body: text };
  }
  for (let at = text.indexOf("\n---", first); at !== -1; at = text.indexOf("\n---", at + 1)) {
    const end = lineEnd(text, at + 1);
    if (!FENCE.test(text.slice(at + 1, end))) continue;
    const block = text.slice(Math.min(first + 1, at), at);
    const lines = block.includes("\r") ? block.replace(/\r(?=\n|$)/g, "") : block;
    return { kind: "found", block: lines, body: text.slice(end + 1) };
  }
  return { kind: "unclosed", body: text };
}

const FENCE = /^---[ \t]*\r?$/;
const RULE = /^-{4,}[ \t]*\r?$/;

function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end === -1 ? text.length : end;
}

export type Closing = { block: string; body: string; line: number; kind: "fence" | "heading" };

// `--- Title`, `------`, an indented `---`, YAML's end mark, and lines used as fences: other dashes, Markdown rules,
// code fences, ends of comments and tags.
const ODD_FENCE =
  /^(?:[ \t\u00a0]+---[ \t]*|-{4,}[ \t]*|---[ \t]*(#.*|[^\s-].*)|(?:\.{3}|[—–][-—–]*|-{1,3}[—–][-—–]*|\*{3,}|={3,6}|\+{3,}|;{3,}|`{3,}|~{3,}|-->|--- *-->|<\/[\w-]+>)[ \t]*)$/;
const HEADING = /^#{1,6} +\S/;
const MAX_CLOSINGS = 5;
const MAX_HEADINGS = 50;

/**
 * Finds possible ends of a frontmatter without a proper closing fence: odd fences, and the first Markdown heading
 * (level 1 only after a blank line), unless fields follow it, which makes it a YAML comment. Nearest first; searches
 * the first `maxLines` lines below the opening.
 */
export function findClosings(lines: string[], maxLines: number): Closing[] {
  const closings: Closing[] = [];
  const searched = lines.slice(0, maxLines);
  let headings = 0;
  const keys = new Set<string>();
  for (const [index, line] of searched.entries()) {
    const key = /^([\w-]+):(\s|$)/.exec(line)?.[1];
    if (key !== undefined) keys.add(key);
    const fence = ODD_FENCE.exec(line);
    const isHeading = HEADING.test(line) && (line.startsWith("##") || (lines[index - 1] ?? "").trim() === "");
    if (isHeading) headings += 1;
    if (headings > MAX_HEADINGS) break;
    if (fence === null && (!isHeading || hasNewField(searched.slice(index + 1), keys))) continue;
    const rest = lines.slice(index + (isHeading ? 0 : 1));
    const body = fence?.[1] === undefined ? rest : [fence[1], ...rest];
    const kind = isHeading ? "heading" : "fence";
    closings.push({ block: lines.slice(0, index).join("\n"), body: body.join("\n"), line: index + 1, kind });
    if (isHeading || closings.length >= MAX_CLOSINGS) break;
  }
  return closings;
}

function hasNewField(lines: string[], keys: ReadonlySet<string>): boolean {
  for (const line of lines) {
    if (/^---[ \t]*$/.test(line)) return false;
    const key = /^([\w-]+):(\s|$)/.exec(line)?.[1];
    if (key !== undefined && KNOWN_KEYS.has(key) && !keys.has(key)) return true;
  }
  return false;
}
