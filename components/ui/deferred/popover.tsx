"use client";

import * as RadixPopover from "radix-ui/popover";
import type { ComponentProps } from "react";
import { cn } from "../cn";
import type { OpenState } from "./open-state";
import { StandIn } from "./trigger";

export type PopoverContentProps = ComponentProps<typeof RadixPopover.Content> & { "aria-label": string };

/** The content of a popover and, from Radix, its behaviour; the button is rendered by PopoverTrigger. */
export function PopoverContent({
  state: { open, setOpen, triggerRef, contentId },
  className,
  align = "start",
  sideOffset = 4,
  ...props
}: PopoverContentProps & { state: OpenState }) {
  return (
    <RadixPopover.Root open={open} onOpenChange={setOpen}>
      <RadixPopover.Trigger asChild>
        <StandIn target={triggerRef} />
      </RadixPopover.Trigger>
      <RadixPopover.Portal>
        <RadixPopover.Content
          id={contentId}
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
    </RadixPopover.Root>
  );
}
