"use client";

import { Circle } from "lucide-react";
import * as RadixMenu from "radix-ui/dropdown-menu";
import type { ComponentProps } from "react";
import { cn } from "./cn";
import { Kbd } from "./kbd";

export const DropdownMenu = RadixMenu.Root;
export const DropdownMenuTrigger = RadixMenu.Trigger;
export const DropdownMenuRadioGroup = RadixMenu.RadioGroup;

export function DropdownMenuContent({
  className,
  align = "end",
  sideOffset = 4,
  ...props
}: ComponentProps<typeof RadixMenu.Content>) {
  return (
    <RadixMenu.Portal>
      <RadixMenu.Content
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
  );
}

const itemStyles =
  "relative flex min-h-8 cursor-default select-none items-center gap-2 rounded-sm px-2 text-13 outline-none data-[disabled]:opacity-50 data-[highlighted]:bg-accent [&_svg]:size-4 [&_svg]:shrink-0";

type DropdownMenuItemProps = ComponentProps<typeof RadixMenu.Item> & {
  tone?: "default" | "danger";
  /** Keys to display; the page must register them. */
  shortcut?: string;
};

/** A menu item; for a link use `asChild` with a Link. */
export function DropdownMenuItem({
  tone = "default",
  shortcut,
  className,
  children,
  asChild,
  ...props
}: DropdownMenuItemProps) {
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

export function DropdownMenuRadioItem({ className, children, ...props }: ComponentProps<typeof RadixMenu.RadioItem>) {
  return (
    <RadixMenu.RadioItem className={cn(itemStyles, "pl-8", className)} {...props}>
      <RadixMenu.ItemIndicator className="absolute left-3">
        <Circle aria-hidden className="!size-2 fill-current" />
      </RadixMenu.ItemIndicator>
      {children}
    </RadixMenu.RadioItem>
  );
}

export function DropdownMenuLabel({ className, ...props }: ComponentProps<typeof RadixMenu.Label>) {
  return <RadixMenu.Label className={cn("px-2 py-1.5 text-muted-foreground text-xs", className)} {...props} />;
}

export function DropdownMenuSeparator({ className, ...props }: ComponentProps<typeof RadixMenu.Separator>) {
  return <RadixMenu.Separator className={cn("-mx-1 my-1 h-px bg-border", className)} {...props} />;
}
