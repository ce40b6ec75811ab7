"use client";

import { Check } from "lucide-react";
import { useCopy } from "@/components/state/use-copy";
import { cn } from "./cn";
import { Tooltip } from "./tooltip";

const shownLength = 7;

type DigestProps = {
  value: string;
  /** What the digest identifies, for the accessible name: "version digest". */
  label?: string;
  className?: string;
};

/** The first seven characters of a digest or commit; a click copies all of it. */
export function Digest({ value, label = "digest", className }: DigestProps) {
  const { copied, copy } = useCopy();
  const short = value.replace(/^sha256:/, "").slice(0, shownLength);
  return (
    <Tooltip content={copied ? "Copied" : <span className="break-all font-mono">{value}</span>}>
      <button
        type="button"
        aria-label={copied ? `Copied ${label} ${short}` : `Copy ${label} ${short}`}
        onClick={() => void copy(value)}
        className={cn(
          "-mx-1 relative inline-flex items-center rounded-sm px-1 font-mono text-muted-foreground text-xs leading-5 after:absolute after:inset-x-0 after:-inset-y-0.5 hover:bg-accent hover:text-foreground",
          className,
        )}
      >
        <span className={copied ? "opacity-0" : ""}>{short}</span>
        {copied ? <Check aria-hidden className="absolute inset-0 m-auto size-3.5 text-success" /> : null}
      </button>
    </Tooltip>
  );
}
