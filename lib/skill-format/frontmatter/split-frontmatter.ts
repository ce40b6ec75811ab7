/** `block` is the YAML between the fences with LF line ends; its first line is line 2 of the file. */
export type SplitFrontmatter =
  | { kind: "found"; block: string; body: string }
  | { kind: "absent" | "empty_file" | "bad_fence" | "unclosed"; body: string };

/**
 * Cuts a SKILL.md at its fences: the first line is exactly `---` and so is the closing one (blanks after them are allowed,
 * LF or CRLF). A first line such as `---js`, which names a language to evaluate, is `bad_fence` and nothing is parsed.
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
