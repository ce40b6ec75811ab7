import { type MouseEvent, memo } from "react";
import { cn } from "@/components/ui/cn";
import { readAnsi } from "./ansi";
import { cssOfAnsi } from "./ansi-colors";
import { type LineHit, markPieces } from "./mark-pieces";
import type { LogLine } from "./run-log-state";

type LogRowProps = {
  line: LogLine;
  /** When it came, as it is to be shown. */
  time: string | null;
  wrap: boolean;
  isLinked: boolean;
  hits: readonly LineHit[];
  currentHit: number;
  onLink: (event: MouseEvent, line: number) => void;
};

/** One numbered line. Its number is a link to it; with Shift it ends a range. */
export const LogRow = memo(function LogRow({ line, time, wrap, isLinked, hits, currentHit, onLink }: LogRowProps) {
  const isSystem = line.stream === "system";
  return (
    <div
      data-line={line.number}
      data-linked={isLinked || undefined}
      className={cn(
        "flex min-w-full leading-5 data-linked:bg-selected data-linked:shadow-[inset_2px_0_0_var(--primary)]",
        wrap ? "w-full" : "w-max",
      )}
    >
      <a
        href={`#L${line.number}`}
        tabIndex={-1}
        aria-label={`Line ${line.number}`}
        title={line.at}
        onClick={(event) => onLink(event, line.number)}
        className="w-14 shrink-0 select-none pr-3 text-right text-muted-foreground tabular-nums hover:text-foreground hover:underline"
      >
        {line.number}
      </a>
      {time === null ? null : (
        <time dateTime={line.at} className="shrink-0 select-none pr-3 text-muted-foreground tabular-nums">
          {time}
        </time>
      )}
      <span
        className={cn(
          "min-w-0 pr-4",
          wrap ? "flex-1 whitespace-pre-wrap break-words wrap-anywhere" : "whitespace-pre",
          isSystem && "text-muted-foreground italic",
        )}
      >
        {isSystem ? <span className="sr-only">Skillgate: </span> : null}
        <LineText line={line} hits={hits} currentHit={currentHit} />
      </span>
    </div>
  );
});

function LineText({ line, hits, currentHit }: Pick<LogRowProps, "line" | "hits" | "currentHit">) {
  if (line.plain === "") return " ";
  const { pieces } = readAnsi(line.text, line.style);
  return markPieces(pieces, hits).map(({ text, style, at, hit }) => {
    const css = cssOfAnsi(style);
    if (hit !== null) return <Hit key={at} text={text} isCurrent={hit === currentHit} />;
    return css ? (
      <span key={at} style={css}>
        {text}
      </span>
    ) : (
      text
    );
  });
}

function Hit({ text, isCurrent }: { text: string; isCurrent: boolean }) {
  return (
    <mark
      data-current={isCurrent || undefined}
      className="rounded-[2px] bg-primary-soft text-primary ring-1 ring-primary/40 data-current:bg-primary data-current:text-primary-foreground"
    >
      {text}
    </mark>
  );
}
