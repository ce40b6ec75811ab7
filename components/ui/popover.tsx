"use client";

import * as RadixPopover from "radix-ui/popover";
import type { ComponentProps } from "react";
import { cn } from "./cn";

export const Popover = RadixPopover.Root;
export const PopoverTrigger = RadixPopover.Trigger;

type PopoverContentProps = ComponentProps<typeof RadixPopover.Content> & { "aria-label": string };

export function PopoverContent({ className, align = "start", sideOffset = 4, ...props }: PopoverContentProps) {
  return (
    <RadixPopover.Portal>
      <RadixPopover.Content
        align={align}
        sideOffset={sideOffset}
        collisionPadding={8}
        className={cn(
          "z-50 w-72 max-w-[calc(100vw-1rem)] animate-pop rounded-md border bg-popover p-3 text-13 text-popover-foreground shadow-float focus:outline-none",
          className,
        )}
        {...props}
      />
    </RadixPopover.Portal>
  );
}
