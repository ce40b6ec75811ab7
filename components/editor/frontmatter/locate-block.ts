import { splitFrontmatter } from "@/lib/skill-format/frontmatter/split-frontmatter";

export type Block =
  | { kind: "found"; start: number; end: number; eol: "\n" | "\r\n" }
  | { kind: "absent"; at: number }
  | { kind: "broken"; message: string };

/** Offsets include a byte order mark and CRLF. */
export function locateBlock(text: string): Block {
  const mark = text.startsWith("\ufeff") ? 1 : 0;
  const inner = text.slice(mark);
  const split = splitFrontmatter(inner);
  if (split.kind === "absent" || split.kind === "empty_file") return { kind: "absent", at: mark };
  if (split.kind === "unclosed") return { kind: "broken", message: "The frontmatter has no closing --- line." };
  if (split.kind === "bad_fence") return { kind: "broken", message: "The first line must be exactly ---." };
  const start = inner.indexOf("\n") + 1;
  const bodyStart = inner.length - split.body.length;
  // The closing fence is the last line before the body; its line end may be missing.
  const end = Math.max(start, inner.lastIndexOf("\n---", bodyStart - 2) + 1);
  return { kind: "found", start: start + mark, end: end + mark, eol: inner[start - 2] === "\r" ? "\r\n" : "\n" };
}
