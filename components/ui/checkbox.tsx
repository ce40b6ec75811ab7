"use client";

import { Check, Minus } from "lucide-react";
import * as RadixCheckbox from "radix-ui/checkbox";
import type { ComponentProps } from "react";
import { cn } from "./cn";

/** Needs a Label with its id, or `aria-label`. The hit area is 24 px. */
export function Checkbox({ className, ...props }: ComponentProps<typeof RadixCheckbox.Root>) {
  return (
    <RadixCheckbox.Root
      className={cn(
        "group relative inline-flex align-middle size-4 shrink-0 items-center justify-center rounded-sm border border-input bg-background text-primary-foreground after:absolute after:-inset-1 disabled:opacity-50 data-[state=checked]:border-primary data-[state=checked]:bg-primary data-[state=indeterminate]:border-primary data-[state=indeterminate]:bg-primary",
        className,
      )}
      {...props}
    >
      <RadixCheckbox.Indicator>
        <Check aria-hidden strokeWidth={3} className="size-3 group-data-[state=indeterminate]:hidden" />
        <Minus aria-hidden strokeWidth={3} className="hidden size-3 group-data-[state=indeterminate]:block" />
      </RadixCheckbox.Indicator>
    </RadixCheckbox.Root>
  );
}
