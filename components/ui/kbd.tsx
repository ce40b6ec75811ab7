"use client";

import { Fragment, useSyncExternalStore } from "react";
import { cn } from "./cn";

type KbdProps = {
  /** A shortcut: `mod+k`, `g s` (in sequence), `?`. */
  keys: string;
  inverted?: boolean;
  className?: string;
};

export function Kbd({ keys, inverted = false, className }: KbdProps) {
  const isMac = useIsMac();
  return (
    <span className={cn("inline-flex items-center gap-1", className)}>
      {keys.split(" ").map((step, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the order of the keys is fixed
        <Fragment key={index}>
          <kbd
            className={cn(
              "inline-flex h-5 min-w-5 items-center justify-center rounded-sm border px-1 font-sans text-xs",
              inverted ? "border-background/30 text-background" : "border-border bg-muted text-muted-foreground",
            )}
          >
            {step
              .split("+")
              .map((key) => keyLabel(key, isMac))
              .join(isMac ? "" : " ")}
          </kbd>
        </Fragment>
      ))}
    </span>
  );
}

function keyLabel(key: string, isMac: boolean): string {
  const labels: Record<string, string> = {
    mod: isMac ? "⌘" : "Ctrl",
    shift: isMac ? "⇧" : "Shift",
    alt: isMac ? "⌥" : "Alt",
    enter: "↵",
    escape: "Esc",
    arrowup: "↑",
    arrowdown: "↓",
    space: "Space",
  };
  return labels[key.toLowerCase()] ?? (key.length === 1 ? key.toUpperCase() : key);
}

const never = () => () => {};
const isMac = () => /Mac|iP(hone|ad|od)/.test(navigator.platform);

/** Whether to write shortcuts with ⌘. False on the server. */
function useIsMac(): boolean {
  return useSyncExternalStore(never, isMac, () => false);
}
