export type CodeLine = { number: number; text: string /** Characters beyond what is shown. */; clipped: number };

/** Longer lines are cut here; the file itself is a download away. */
const shownChars = 2000;

/** The lines of a text. Both ends of line are removed, a lone carriage return stays to be seen. */
export function codeLines(text: string): CodeLine[] {
  const lines = text.split(/\r?\n/);
  // A final line break ends the last line; it does not begin another.
  if (lines.length > 1 && lines.at(-1) === "") lines.pop();
  return lines.map((line, index) => ({
    number: index + 1,
    text: line.length > shownChars ? cutAt(line, shownChars) : line,
    clipped: Math.max(0, line.length - shownChars),
  }));
}

/** Never between the two halves of one character. */
function cutAt(line: string, length: number): string {
  const code = line.charCodeAt(length - 1);
  return line.slice(0, code >= 0xd800 && code <= 0xdbff ? length - 1 : length);
}
