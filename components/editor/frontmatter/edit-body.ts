import { locateBlock } from "./locate-block";

/** The text after the frontmatter of a SKILL.md, without the blank lines between them. */
export function readBody(text: string): string {
  return text.slice(startOf(text));
}

/** Replaces that text; frontmatter, blank lines and line ends stay as they are. */
export function editBody(text: string, body: string): string {
  const block = locateBlock(text);
  const isWindows = block.kind === "found" && block.eol === "\r\n";
  const before = text.slice(0, startOf(text));
  const gap = block.kind === "found" && !/\n\r?\n$/.test(before) ? (isWindows ? "\r\n" : "\n") : "";
  const lines = body.replaceAll("\r\n", "\n");
  return before + gap + (isWindows ? lines.replaceAll("\n", "\r\n") : lines);
}

function startOf(text: string): number {
  const block = locateBlock(text);
  if (block.kind !== "found") return block.kind === "absent" ? block.at : text.length;
  const closing = text.indexOf("\n", block.end);
  if (closing === -1) return text.length;
  const gap = /^(?:[ \t]*\r?\n)*/.exec(text.slice(closing + 1))?.[0].length ?? 0;
  return closing + 1 + gap;
}
