import { useEffect, useState } from "react";
import type { Mark } from "./highlight-code";

type Found = { path: string; text: string; marks: Mark[][] | null };

/** The coloured parts of each line, once the grammars are loaded; null before, and for files without a grammar. */
export function useHighlight(path: string | undefined, text: string): readonly (readonly Mark[])[] | null {
  const [found, setFound] = useState<Found | null>(null);
  useEffect(() => {
    if (path === undefined) return;
    let isCurrent = true;
    void import("./highlight-code")
      .then(({ highlightCode }) => isCurrent && setFound({ path, text, marks: highlightCode(path, text) }))
      // Without its grammar, the code stays plain.
      .catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, [path, text]);
  return found !== null && found.path === path && found.text === text ? found.marks : null;
}
