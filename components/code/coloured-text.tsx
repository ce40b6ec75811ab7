import { RevealedText } from "./hidden-notice";
import type { Mark } from "./highlight-code";
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
