import type { ScanView } from "./schema";

/** A piece of decoded text. `source` is its offset in the file; `lineSources` gives the offset of each line. */
export type Fragment = { view: ScanView; text: string; source: number; lineSources?: number[] };

export function sourceAt({ text, source, lineSources }: Fragment, offset: number): number {
  if (lineSources === undefined) return source;
  let line = 0;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line += 1;
  return lineSources[Math.min(line, lineSources.length - 1)] ?? source;
}
