export type Range = { start: number; end: number };

/** Fenced blocks, indented command lines that begin with `$ `, inline code and HTML comments of a Markdown text, in order. */
export function findCodeRanges(text: string): Range[] {
  const ranges: Range[] = [];
  let fence: { mark: string; start: number } | null = null;
  let offset = 0;
  for (const line of text.split("\n")) {
    const mark = /^[ \t]{0,12}(?:[-*>] ?)?(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === null) {
      if (mark !== undefined) fence = { mark, start: offset };
      else addInline(ranges, line, offset);
    } else if (mark !== undefined && mark[0] === fence.mark[0] && mark.length >= fence.mark.length) {
      ranges.push({ start: fence.start, end: offset + line.length });
      fence = null;
    }
    offset += line.length + 1;
  }
  if (fence !== null) ranges.push({ start: fence.start, end: text.length });
  return ranges;
}

/** Whether an offset lies in one of the ranges, which are in order. */
export function isInRanges(ranges: Range[], offset: number): boolean {
  let low = 0;
  let high = ranges.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const range = ranges[middle];
    if (range === undefined) return false;
    if (offset < range.start) high = middle - 1;
    else if (offset >= range.end) low = middle + 1;
    else return true;
  }
  return false;
}

function addInline(ranges: Range[], line: string, offset: number): void {
  if (/^\s*\$ /.test(line)) {
    ranges.push({ start: offset, end: offset + line.length });
    return;
  }
  let at = line.indexOf("`");
  while (at !== -1) {
    const end = line.indexOf("`", at + 1);
    if (end === -1) return;
    ranges.push({ start: offset + at, end: offset + end + 1 });
    at = line.indexOf("`", end + 1);
  }
}
