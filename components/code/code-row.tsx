import { memo, type ReactNode } from "react";
import { cn } from "@/components/ui/cn";
import type { CodeLine } from "./code-lines";
import { RevealedText } from "./revealed-text";

type CodeRowProps = {
  line: CodeLine;
  isTarget: boolean;
  /** Colours the margin when something was noticed here. */
  mark?: "info" | "warning" | "error" | undefined;
  onSelect: (line: number) => void;
  /** Below the line: what was noticed. */
  children?: ReactNode;
};

const markStyles = {
  info: "shadow-[inset_2px_0_0_var(--input)]",
  warning: "bg-warning-soft shadow-[inset_2px_0_0_var(--warning-mark)]",
  error: "bg-danger-soft shadow-[inset_2px_0_0_var(--danger-mark)]",
} as const;

/** A numbered line of source, wrapped so that nothing hides to the right of the view. */
export const CodeRow = memo(function CodeRow({ line, isTarget, mark, onSelect, children }: CodeRowProps) {
  const { number, text, clipped } = line;
  return (
    <div data-line={number}>
      <div className={cn("grid grid-cols-[3.25rem_1fr]", mark && markStyles[mark], isTarget && "bg-selected")}>
        <button
          type="button"
          tabIndex={-1}
          aria-label={`Link to line ${number}`}
          onClick={() => onSelect(number)}
          className="select-none self-start pr-3 text-right text-muted-foreground tabular-nums hover:text-foreground"
        >
          {number}
        </button>
        <span className="whitespace-pre-wrap pr-4 [overflow-wrap:anywhere] [tab-size:4]">
          {text === "" ? "\n" : <RevealedText text={text} />}
          {clipped > 0 ? (
            <span className="ml-1 rounded-sm bg-warning-soft px-1 text-warning">
              … {clipped.toLocaleString("en-GB")} more characters
            </span>
          ) : null}
        </span>
      </div>
      {children}
    </div>
  );
});
