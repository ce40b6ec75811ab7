import type { ScanView } from "./schema";

/**
 * A piece of decoded text; `source` is the offset in the file that it stands for. A piece of several lines may say so for
 * each of them.
 */
export type Fragment = { view: ScanView; text: string; source: number; lineSources?: number[] };

/** The offset in the file that an offset in a decoded piece stands for. */
export function sourceAt({ text, source, lineSources }: Fragment, offset: number): number {
  if (lineSources === undefined) return source;
  let line = 0;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line += 1;
  return lineSources[Math.min(line, lineSources.length - 1)] ?? source;
}
