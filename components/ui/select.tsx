import { ChevronDown } from "lucide-react";
import type { ComponentProps } from "react";
import { cn } from "./cn";
import { controlStyles } from "./input";

export type SelectOption = { value: string; label: string; disabled?: boolean };

type SelectProps = ComponentProps<"select"> & {
  /** Or give `<option>` children. */
  options?: readonly SelectOption[];
};

/** The browser's own select, so that it works by touch, keyboard and screen reader as each platform does. */
export function Select({ options, children, className, ...props }: SelectProps) {
  return (
    <span className={cn("relative inline-flex w-full", className)}>
      <select className={cn(controlStyles, "h-8 appearance-none pr-8")} {...props}>
        {options?.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.label}
          </option>
        ))}
        {children}
      </select>
      <ChevronDown
        aria-hidden
        className="-translate-y-1/2 pointer-events-none absolute top-1/2 right-2.5 size-4 text-muted-foreground"
      />
    </span>
  );
}
