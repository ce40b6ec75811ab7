import { MAX_INFERRED_CHARS } from "@/lib/skill-format/archive/limits";
import { readField } from "@/lib/skill-format/dialects/tidy-fields";

/**
 * A description guessed from a playbook's body: a line that says `description:` near the top, else the first paragraph, else
 * the first heading; at most 200 characters (GSV's rule for skills without one). Null when there is nothing.
 */
export function inferDescription(body: string): string | null {
  const lines = linesOf(body);
  const text = findLabelled(lines.slice(0, LABEL_LINES)) ?? findParagraph(lines) ?? findHeading(lines);
  if (text === null || text === "") return null;
  const chars = [...text];
  return chars.length <= MAX_INFERRED_CHARS
    ? text
    : `${chars
        .slice(0, MAX_INFERRED_CHARS - 1)
        .join("")
        .trimEnd()}…`;
}

/** Whether a body says its description itself, in a line near its top that says so. */
export function hasLabelledDescription(body: string): boolean {
  return findLabelled(linesOf(body).slice(0, LABEL_LINES)) !== null;
}

const LABEL_LINES = 20;

function linesOf(body: string): string[] {
  return body.split(/\r?\n/, 200).map((line) => line.trim());
}

function findLabelled(lines: string[]): string | null {
  for (const line of lines) {
    const field = /description|描述|说明|説明/i.test(line) ? readField(line) : null;
    const text = field?.startsWith("description:") ? field.slice("description:".length).trim() : "";
    if (text !== "") return text;
  }
  return null;
}

// Headings, rules, comments, tables, fences and `key: value` lines of broken frontmatter are no prose.
const NOT_PROSE = /^(#|---|===|\*\*\*|<|\||`{3}|~{3}|[A-Za-z_][\w-]*:(\s|$))/;

function findParagraph(lines: string[]): string | null {
  const start = lines.findIndex((line) => line !== "" && !NOT_PROSE.test(line));
  if (start === -1) return null;
  const paragraph = lines.slice(start);
  const end = paragraph.findIndex((line) => line === "" || line.startsWith("#"));
  return (end === -1 ? paragraph : paragraph.slice(0, end)).join(" ");
}

function findHeading(lines: string[]): string | null {
  const heading = lines.find((line) => /^#{1,6}\s+\S/.test(line));
  return heading?.replace(/^#+\s+/, "") ?? null;
}
