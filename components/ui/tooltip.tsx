"use client";

import * as RadixTooltip from "radix-ui/tooltip";
import { type ReactElement, type ReactNode, useState } from "react";
import { Kbd } from "./kbd";

export const TooltipProvider = RadixTooltip.Provider;

type TooltipProps = {
  content: ReactNode;
  children: ReactElement;
  shortcut?: string | undefined;
  side?: "top" | "right" | "bottom" | "left" | undefined;
  enabled?: boolean;
};

export function Tooltip({ content, children, shortcut, side = "top", enabled = true }: TooltipProps) {
  const [open, setOpen] = useState(false);
  return (
    <RadixTooltip.Root open={enabled && open} onOpenChange={setOpen}>
      <RadixTooltip.Trigger asChild>{children}</RadixTooltip.Trigger>
      <RadixTooltip.Portal>
        <RadixTooltip.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-60 flex max-w-72 animate-fade items-center gap-2 rounded-md bg-foreground px-2 py-1 text-background text-xs shadow-float"
        >
          {content}
          {shortcut ? <Kbd keys={shortcut} inverted /> : null}
        </RadixTooltip.Content>
      </RadixTooltip.Portal>
    </RadixTooltip.Root>
  );
}
