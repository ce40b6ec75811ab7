"use client";

import { Check, Minus } from "lucide-react";
import type { ComponentProps } from "react";
import { cn } from "./cn";

type CheckboxProps = Omit<ComponentProps<"button">, "onChange" | "children"> & {
  checked: boolean | "indeterminate";
  onCheckedChange?: (checked: boolean) => void;
};

/** Needs a Label with its id, or `aria-label`. The hit area is 24 px. */
export function Checkbox({ checked, onCheckedChange, onClick, onKeyDown, className, ...props }: CheckboxProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: an input cannot hold the mark
    <button
      type="button"
      role="checkbox"
      aria-checked={checked === "indeterminate" ? "mixed" : checked}
      data-state={checked === "indeterminate" ? checked : checked ? "checked" : "unchecked"}
      onKeyDown={(event) => {
        onKeyDown?.(event);
        // Space alone toggles a checkbox; Enter belongs to the form (ARIA practices).
        if (event.key === "Enter") event.preventDefault();
      }}
      onClick={(event) => {
        onClick?.(event);
        if (!event.defaultPrevented) onCheckedChange?.(checked !== true);
      }}
      className={cn(
        "group relative inline-flex align-middle size-4 shrink-0 items-center justify-center rounded-sm border border-input bg-background text-primary-foreground after:absolute after:-inset-1 disabled:opacity-50 data-[state=checked]:border-primary data-[state=checked]:bg-primary data-[state=indeterminate]:border-primary data-[state=indeterminate]:bg-primary",
        className,
      )}
      {...props}
    >
      {checked === false ? null : (
        <span className="pointer-events-none">
          <Check aria-hidden strokeWidth={3} className="size-3 group-data-[state=indeterminate]:hidden" />
          <Minus aria-hidden strokeWidth={3} className="hidden size-3 group-data-[state=indeterminate]:block" />
        </span>
      )}
    </button>
  );
}
