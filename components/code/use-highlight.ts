import { useEffect, useMemo, useState } from "react";
import type { highlightCode, Mark } from "./highlight-code";

/** The coloured parts of each line, once the grammars are loaded; null before, and for files without a grammar. */
export function useHighlight(path: string | undefined, text: string): readonly (readonly Mark[])[] | null {
  const [highlight, setHighlight] = useState<typeof highlightCode | null>(null);
  const isWanted = path !== undefined;
  useEffect(() => {
    if (!isWanted) return;
    let isCurrent = true;
    void import("./highlight-code")
      .then((loaded) => isCurrent && setHighlight(() => loaded.highlightCode))
      // Without its grammar, the code stays plain.
      .catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, [isWanted]);
  return useMemo(() => (isWanted && highlight ? highlight(path, text) : null), [isWanted, highlight, path, text]);
}
