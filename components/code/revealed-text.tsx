import { useMemo } from "react";
import { cn } from "@/components/ui/cn";
import { revealInvisible, type Segment } from "./reveal-invisible";

/** Text that came from outside: what it hides is shown in boxes, and its direction stays its own. */
export function RevealedText({ text, className }: { text: string; className?: string }) {
  const segments = useMemo(() => revealInvisible(text), [text]);
  return (
    <bdi className={className}>
      {segments.map((segment, index) =>
        segment.kind === "text" ? (
          segment.text
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: a piece is its place
          <HiddenCharacter key={index} segment={segment} />
        ),
      )}
    </bdi>
  );
}

export const hiddenCharacterStyles =
  "mx-px inline-block rounded-sm border border-danger-line bg-danger-soft px-0.5 align-baseline font-mono text-[0.75em] text-danger leading-tight";

function HiddenCharacter({ segment }: { segment: Extract<Segment, { kind: "hidden" }> }) {
  const { codePoint, name, tag } = segment;
  return (
    <span className={cn(hiddenCharacterStyles)} title={`${codePoint}, ${name}${tag ? ` “${tag}”` : ""}`}>
      <span className="sr-only">hidden {name} </span>
      {codePoint}
    </span>
  );
}
