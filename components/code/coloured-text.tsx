import { Fragment, useEffect, useMemo, useState } from "react";
import { RevealedText } from "./hidden-notice";
import type { highlightCode, Mark } from "./highlight-code";
import { revealInvisible } from "./reveal-invisible";

type ColouredTextProps = { text: string; marks: readonly Mark[] | undefined };

/** A line of code in colours. A line with invisible characters stays plain, so that they are shown exactly as they stand. */
export function ColouredText({ text, marks }: ColouredTextProps) {
  if (!marks || marks.length === 0 || revealInvisible(text).some(({ kind }) => kind === "hidden")) {
    return <RevealedText text={text} />;
  }
  return <bdi>{partsOf(text, marks)}</bdi>;
}

function partsOf(text: string, marks: readonly Mark[]) {
  let at = 0;
  const parts = marks.flatMap(({ from, to, className }) => {
    const start = Math.max(at, from);
    const end = Math.min(to, text.length);
    if (start >= end) return [];
    const before = text.slice(at, start);
    at = end;
    return [
      before,
      <span key={start} className={className}>
        {text.slice(start, end)}
      </span>,
    ];
  });
  return [...parts, text.slice(at)];
}

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

type FencedCodeProps = {
  /** As the fence of a Markdown text names it: `json`, `sh`. */
  language: string;
  text: string;
};

/** The lines of a code in the colours of its language, once that is loaded. */
export function FencedCode({ language, text }: FencedCodeProps) {
  const marks = useHighlight(`fence.${language}`, text);
  if (marks === null) return <RevealedText text={text} />;
  return text.split(/\r?\n/).map((line, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
    <Fragment key={at}>
      {at === 0 ? null : "\n"}
      <ColouredText text={line} marks={marks[at]} />
    </Fragment>
  ));
}
