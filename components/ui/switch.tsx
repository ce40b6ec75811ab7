"use client";

import * as RadixSwitch from "radix-ui/switch";
import type { ComponentProps } from "react";
import { cn } from "./cn";

/** A switch that takes effect immediately. Needs a Label with its id, or `aria-label`. */
export function Switch({ className, ...props }: ComponentProps<typeof RadixSwitch.Root>) {
  return (
    <RadixSwitch.Root
      className={cn(
        "relative inline-flex align-middle h-[18px] w-8 shrink-0 items-center rounded-full border border-input bg-muted transition-colors duration-100 after:absolute after:-inset-1 disabled:opacity-50 data-[state=checked]:border-primary data-[state=checked]:bg-primary",
        className,
      )}
      {...props}
    >
      <RadixSwitch.Thumb className="ml-0.5 block size-3 rounded-full bg-muted-foreground transition-transform duration-100 data-[state=checked]:translate-x-[14px] data-[state=checked]:bg-primary-foreground" />
    </RadixSwitch.Root>
  );
}
