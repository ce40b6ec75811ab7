"use client";

import { type ReactNode, useMemo, useState } from "react";
import { RevealedText } from "@/components/code/revealed-text";
import { cn } from "@/components/ui/cn";
import { CopyButton } from "@/components/ui/copy-button";
import { SegmentedControl } from "@/components/ui/segmented-control";
import { DownloadButton } from "./download-button";
import { JsonTree } from "./json-tree";

type JsonViewProps = {
  value: unknown;
  /** What it is: "Result", "Arguments". */
  label: string;
  filename: string;
  /** Before the buttons: a chip. */
  aside?: ReactNode;
  /** Breaks long values into lines, where nobody may miss what stands off the edge. */
  wrap?: boolean;
};

const rawShownAtMost = 200_000;

/** A JSON value as a tree to fold, or as text. */
export function JsonView({ value, label, filename, aside, wrap = false }: JsonViewProps) {
  const [view, setView] = useState<"tree" | "raw">("tree");
  const text = useMemo(() => JSON.stringify(value, null, 2) ?? "null", [value]);
  const shown = text.length > rawShownAtMost ? `${text.slice(0, rawShownAtMost)}\n…` : text;
  return (
    <section aria-label={label} className="overflow-hidden rounded-md border">
      <header className="flex h-10 items-center gap-2 border-b pr-1.5 pl-4">
        <h3>{label}</h3>
        {aside}
        <span className="ml-auto flex items-center gap-1">
          <SegmentedControl
            label={`${label} as`}
            value={view}
            onValueChange={setView}
            options={[
              { value: "tree", label: "Tree" },
              { value: "raw", label: "Raw" },
            ]}
            className="h-7"
          />
          <CopyButton value={text} label={`Copy ${label.toLowerCase()}`} />
          <DownloadButton label={`Download ${label.toLowerCase()}`} filename={filename} text={text} />
        </span>
      </header>
      {view === "tree" ? (
        <JsonTree key={text.length} value={value} label={label} wrap={wrap} className="max-h-[32rem] overflow-y-auto" />
      ) : (
        <section
          aria-label={`${label}, raw`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          tabIndex={0}
          className="max-h-[32rem] overflow-auto focus-visible:-outline-offset-2"
        >
          <pre
            className={cn(
              "min-w-full px-4 py-2 font-mono text-xs leading-5",
              wrap ? "whitespace-pre-wrap wrap-anywhere" : "w-max",
            )}
          >
            <RevealedText text={shown} />
          </pre>
        </section>
      )}
      {view === "raw" && shown !== text ? (
        <p className="border-t px-4 py-1.5 text-muted-foreground text-xs">
          The first {rawShownAtMost.toLocaleString("en")} characters. Copy or download gives all.
        </p>
      ) : null}
    </section>
  );
}
