/** `block` is the YAML between the fences with LF line ends; its first line is line 2 of the file. */
export type SplitFrontmatter =
  | { kind: "found"; block: string; body: string }
  | { kind: "absent" | "empty_file" | "bad_fence" | "unclosed"; body: string };

/**
 * Cuts a SKILL.md at its fences: the first line is exactly `---` and so is the closing one (blanks after them are allowed,
 * LF or CRLF). A first line such as `---js`, which names a language to evaluate, is `bad_fence` and nothing is parsed.
 */
export function splitFrontmatter(text: string): SplitFrontmatter {
  const lines = text.split("\n");
  const opening = lines[0] ?? "";
  if (!FENCE.test(opening)) {
    if (text.trim() === "") return { kind: "empty_file", body: text };
    return { kind: opening.startsWith("---") && !RULE.test(opening) ? "bad_fence" : "absent", body: text };
  }
  const closing = lines.findIndex((line, index) => index > 0 && FENCE.test(line));
  if (closing === -1) return { kind: "unclosed", body: text };
  const block = lines
    .slice(1, closing)
    .map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line))
    .join("\n");
  return { kind: "found", block, body: lines.slice(closing + 1).join("\n") };
}

const FENCE = /^---[ \t]*\r?$/;
const RULE = /^-{4,}[ \t]*\r?$/;
