import type { ScanView } from "../schema";
import type { Fragment } from "./fragment";

/** A sentence may run over so many lines; longer pieces would only lose the place. */
const MAX_LINES = 3;

/** The lines that `change` alters, neighbours together; each line stands for the beginning of the one it was made from. */
export function mapLines(text: string, view: ScanView, change: (line: string) => string): Fragment[] {
  const fragments: Fragment[] = [];
  let open: { lines: string[]; lineSources: number[] } | null = null;
  const close = () => {
    if (open !== null) {
      const { lines, lineSources } = open;
      fragments.push({ view, text: lines.join("\n"), source: lineSources[0] ?? 0, lineSources });
    }
    open = null;
  };
  let offset = 0;
  for (const line of text.split("\n")) {
    const changed = change(line);
    if (changed === line) close();
    else {
      if (open !== null && open.lines.length >= MAX_LINES) close();
      open ??= { lines: [], lineSources: [] };
      open.lines.push(changed);
      open.lineSources.push(offset);
    }
    offset += line.length + 1;
  }
  close();
  return fragments;
}
