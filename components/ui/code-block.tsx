import type { ReactNode } from "react";
import { FencedCode } from "@/components/code/coloured-text";
import { cn } from "./cn";
import { CopyButton } from "./copy-button";

type CodeBlockProps = {
  code: string;
  label: string;
  /** Shows the code in its colours; without it plain. */
  language?: "json" | "sh" | "toml" | "ts" | undefined;
  showLabel?: boolean;
  wrap?: boolean;
  actions?: ReactNode;
  className?: string;
};

export function CodeBlock({
  code,
  label,
  language,
  showLabel = true,
  wrap = false,
  actions,
  className,
}: CodeBlockProps) {
  return (
    <figure className={cn("group relative flex flex-col overflow-hidden rounded-md border bg-muted", className)}>
      {showLabel ? (
        <figcaption className="flex h-9 shrink-0 items-center justify-between gap-2 border-b pr-1 pl-3 text-muted-foreground text-xs">
          <span className="truncate" title={label}>
            {label}
          </span>
          <span className="flex items-center">
            {actions}
            <CopyButton value={code} label={`Copy ${label}`} />
          </span>
        </figcaption>
      ) : (
        <div className="absolute top-1 right-1 rounded-md bg-muted">
          <CopyButton value={code} label={`Copy ${label}`} />
        </div>
      )}
      <section
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        className="min-h-0 overflow-auto focus-visible:-outline-offset-2"
      >
        <pre
          className={cn(
            "w-max min-w-full py-2.5 pl-3 font-mono text-xs leading-5",
            showLabel ? "pr-3" : "pr-10",
            wrap && "w-auto whitespace-pre-wrap [overflow-wrap:anywhere]",
          )}
        >
          <code>{language ? <FencedCode language={language} text={code} /> : code}</code>
        </pre>
      </section>
    </figure>
  );
}
