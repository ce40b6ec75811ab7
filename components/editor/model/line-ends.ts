/** How a text ends its lines: `crlf` when every line does so in this way; anything mixed stays in the text as it is. */
export type LineEnds = "lf" | "crlf";

export function lineEndsOf(text: string): LineEnds {
  return text.includes("\r\n") && !/\r(?!\n)|(?<!\r)\n/.test(text) ? "crlf" : "lf";
}

/** What the editor holds: lines that end with LF. `fromEditor` gives the text back to the byte. */
export function toEditor(text: string, ends: LineEnds): string {
  return ends === "crlf" ? text.replaceAll("\r\n", "\n") : text;
}

export function fromEditor(lines: string, ends: LineEnds): string {
  return ends === "crlf" ? lines.replaceAll("\n", "\r\n") : lines;
}
