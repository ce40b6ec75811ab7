"use client";

import { Circle } from "lucide-react";
import * as RadixMenu from "radix-ui/dropdown-menu";
import type { ComponentProps } from "react";
import { cn } from "../cn";
import { Kbd } from "../kbd";
import { type MenuItemProps, type MenuParts, MenuPartsContext } from "./menu-parts";
import type { OpenState } from "./open-state";
import { StandIn } from "./trigger";

export type MenuContentProps = ComponentProps<typeof RadixMenu.Content>;

/** The content of a menu and, from Radix, its behaviour; the button is rendered by DropdownMenuTrigger. */
export function MenuContent({
  state: { open, setOpen, triggerRef, triggerId, contentId },
  className,
  align = "end",
  sideOffset = 4,
  ...props
}: MenuContentProps & { state: OpenState }) {
  return (
    <RadixMenu.Root open={open} onOpenChange={setOpen}>
      <RadixMenu.Trigger asChild>
        <StandIn target={triggerRef} />
      </RadixMenu.Trigger>
      <MenuPartsContext value={parts}>
        <RadixMenu.Portal>
          <RadixMenu.Content
            id={contentId}
            aria-labelledby={triggerId}
            align={align}
            sideOffset={sideOffset}
            collisionPadding={8}
            className={cn(
              "z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-44 animate-pop overflow-y-auto rounded-md border bg-popover p-1 text-popover-foreground shadow-float",
              className,
            )}
            {...props}
          />
        </RadixMenu.Portal>
      </MenuPartsContext>
    </RadixMenu.Root>
  );
}

const itemStyles =
  "relative flex min-h-8 cursor-default select-none items-center gap-2 rounded-sm px-2 text-13 outline-none data-[disabled]:opacity-50 data-[highlighted]:bg-accent [&_svg]:size-4 [&_svg]:shrink-0";

function Item({ tone = "default", shortcut, className, children, asChild, ...props }: MenuItemProps) {
  const classes = cn(
    itemStyles,
    tone === "danger" ? "text-danger data-[highlighted]:bg-danger-soft" : "[&_svg]:text-muted-foreground",
    className,
  );
  if (asChild) {
    return (
      <RadixMenu.Item asChild className={classes} {...props}>
        {children}
      </RadixMenu.Item>
    );
  }
  return (
    <RadixMenu.Item className={classes} {...props}>
      {children}
      {shortcut ? <Kbd keys={shortcut} className="ml-auto pl-4" /> : null}
    </RadixMenu.Item>
  );
}

function RadioItem({ className, children, ...props }: ComponentProps<typeof RadixMenu.RadioItem>) {
  return (
    <RadixMenu.RadioItem className={cn(itemStyles, "pl-8", className)} {...props}>
      <RadixMenu.ItemIndicator className="absolute left-3">
        <Circle aria-hidden className="!size-2 fill-current" />
      </RadixMenu.ItemIndicator>
      {children}
    </RadixMenu.RadioItem>
  );
}

function Label({ className, ...props }: ComponentProps<typeof RadixMenu.Label>) {
  return <RadixMenu.Label className={cn("px-2 py-1.5 text-muted-foreground text-xs", className)} {...props} />;
}

function Separator({ className, ...props }: ComponentProps<typeof RadixMenu.Separator>) {
  return <RadixMenu.Separator className={cn("-mx-1 my-1 h-px bg-border", className)} {...props} />;
}

const parts: MenuParts = { Item, RadioGroup: RadixMenu.RadioGroup, RadioItem, Label, Separator };
