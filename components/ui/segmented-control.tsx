"use client";

import type { LucideIcon } from "lucide-react";
import * as ToggleGroup from "radix-ui/toggle-group";
import { cn } from "./cn";

type SegmentedOption<T extends string> = { value: T; label: string; icon?: LucideIcon };

type SegmentedControlProps<T extends string> = {
  label: string;
  value: T;
  onValueChange: (value: T) => void;
  options: readonly SegmentedOption<T>[];
  /** Shows only icons; labels become accessible names and tooltips. */
  iconsOnly?: boolean;
  className?: string;
};

export function SegmentedControl<T extends string>({
  label,
  value,
  onValueChange,
  options,
  iconsOnly = false,
  className,
}: SegmentedControlProps<T>) {
  return (
    <ToggleGroup.Root
      type="single"
      aria-label={label}
      value={value}
      // Clicking the selected option returns "", which is ignored.
      onValueChange={(next) => next !== "" && onValueChange(next as T)}
      className={cn("inline-flex h-8 shrink-0 items-center gap-0.5 rounded-md border bg-muted p-0.5", className)}
    >
      {options.map(({ value: option, label: name, icon: Icon }) => (
        <ToggleGroup.Item
          key={option}
          value={option}
          aria-label={iconsOnly ? name : undefined}
          title={iconsOnly ? name : undefined}
          className="inline-flex h-full min-w-7 items-center justify-center gap-1.5 rounded-sm px-2 text-13 text-muted-foreground hover:text-foreground data-[state=on]:bg-background data-[state=on]:font-medium data-[state=on]:text-foreground data-[state=on]:ring-1 data-[state=on]:ring-border [&_svg]:size-4"
        >
          {Icon ? <Icon aria-hidden /> : null}
          {iconsOnly ? null : name}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
