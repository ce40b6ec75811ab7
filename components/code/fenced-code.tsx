import { Fragment } from "react";
import { ColouredText, useHighlight } from "./coloured-text";
import { RevealedText } from "./hidden-notice";

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
