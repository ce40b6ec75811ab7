"use client";

import type { ComponentProps } from "react";
import { cn } from "./cn";

type SwitchProps = Omit<ComponentProps<"button">, "onChange" | "children"> & {
  checked: boolean;
  onCheckedChange?: (checked: boolean) => void;
};

/** A switch that takes effect immediately. Needs a Label with its id, or `aria-label`. */
export function Switch({ checked, onCheckedChange, onClick, className, ...props }: SwitchProps) {
  const state = checked ? "checked" : "unchecked";
  return (
    <button
      type="button"
      role="switch"
      aria-checked={checked}
      data-state={state}
      onClick={(event) => {
        onClick?.(event);
        if (!event.defaultPrevented) onCheckedChange?.(!checked);
      }}
      className={cn(
        "relative inline-flex align-middle h-[18px] w-8 shrink-0 items-center rounded-full border border-input bg-muted transition-colors duration-100 after:absolute after:-inset-1 disabled:opacity-50 data-[state=checked]:border-primary data-[state=checked]:bg-primary",
        className,
      )}
      {...props}
    >
      <span
        data-state={state}
        className="ml-0.5 block size-3 rounded-full bg-muted-foreground transition-transform duration-100 data-[state=checked]:translate-x-[14px] data-[state=checked]:bg-primary-foreground"
      />
    </button>
  );
}
