/** The last line break at or before an offset, looked for no further back than `floor`; -1 when there is none. */
export function lastBreak(text: string, offset: number, floor: number): number {
  const from = Math.max(0, floor);
  const at = text.slice(from, Math.max(from, offset + 1)).lastIndexOf("\n");
  return at === -1 ? -1 : from + at;
}

/** The first line break at or behind an offset and before `ceiling`; -1 when there is none. */
export function nextBreak(text: string, offset: number, ceiling: number): number {
  const at = text.slice(offset, Math.max(offset, ceiling)).indexOf("\n");
  return at === -1 ? -1 : offset + at;
}
