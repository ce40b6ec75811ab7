import { ChevronRight } from "lucide-react";
import { RevealedText } from "@/components/code/hidden-notice";
import { cn } from "@/components/ui/cn";
import type { JsonRow } from "./json-rows";

const textShownAtMost = 4_000;

export function JsonRowContent({ row }: { row: JsonRow }) {
  if (row.kind === "more") {
    return <span className="ml-5 text-primary underline underline-offset-2">{moreLabel(row.hidden)}</span>;
  }
  return (
    <>
      {row.kind === "container" && row.size > 0 ? (
        <ChevronRight
          aria-hidden
          className={cn("mt-1 size-3 shrink-0 text-muted-foreground", row.isOpen && "rotate-90")}
        />
      ) : (
        <span aria-hidden className="w-3 shrink-0" />
      )}
      {row.name === null ? null : (
        <span className="shrink-0 text-muted-foreground">
          <RevealedText text={row.name} />
          <span aria-hidden>:</span>
        </span>
      )}
      {row.kind === "container" ? <Summary row={row} /> : <Scalar value={row.value} />}
    </>
  );
}

function Summary({ row }: { row: Extract<JsonRow, { kind: "container" }> }) {
  const brackets = row.shape === "array" ? "[]" : "{}";
  const noun = row.shape === "array" ? (row.size === 1 ? "item" : "items") : row.size === 1 ? "key" : "keys";
  return (
    <span>
      {brackets} <span className="text-muted-foreground">{row.size === 0 ? "empty" : `${row.size} ${noun}`}</span>
    </span>
  );
}

function Scalar({ value }: { value: string | number | boolean | null }) {
  if (typeof value === "string") {
    const rest = value.length - textShownAtMost;
    return (
      <span className="min-w-0 max-w-[70ch] whitespace-pre-wrap wrap-anywhere">
        <RevealedText text={JSON.stringify(rest > 0 ? value.slice(0, textShownAtMost) : value)} />
        {rest > 0 ? (
          <span className="text-muted-foreground"> … and {rest.toLocaleString("en")} more characters</span>
        ) : null}
      </span>
    );
  }
  return <span className={value === null ? "text-muted-foreground italic" : "text-primary"}>{String(value)}</span>;
}

function moreLabel(hidden: number): string {
  return `Show ${Math.min(hidden, 100)} more of ${hidden}`;
}
