"use client";

import type { LucideIcon } from "lucide-react";
import type { KeyboardEvent } from "react";
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

const STEPS: Record<string, 1 | -1> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** A group of radio buttons: Tab reaches the selected one, arrow keys move the focus, Enter and Space select. */
export function SegmentedControl<T extends string>({
  label,
  value,
  onValueChange,
  options,
  iconsOnly = false,
  className,
}: SegmentedControlProps<T>) {
  const isAnySelected = options.some((option) => option.value === value);
  return (
    <div
      role="radiogroup"
      aria-label={label}
      onKeyDown={moveFocus}
      className={cn("inline-flex h-8 shrink-0 items-center gap-0.5 rounded-md border bg-muted p-0.5", className)}
    >
      {options.map(({ value: option, label: name, icon: Icon }, index) => (
        // biome-ignore lint/a11y/useSemanticElements: an input cannot hold an icon
        <button
          key={option}
          type="button"
          role="radio"
          aria-checked={option === value}
          tabIndex={option === value || (!isAnySelected && index === 0) ? 0 : -1}
          data-state={option === value ? "on" : "off"}
          aria-label={iconsOnly ? name : undefined}
          title={iconsOnly ? name : undefined}
          onClick={() => option !== value && onValueChange(option)}
          className="inline-flex h-full min-w-7 items-center justify-center gap-1.5 rounded-sm px-2 text-13 text-muted-foreground hover:text-foreground data-[state=on]:bg-background data-[state=on]:font-medium data-[state=on]:text-foreground data-[state=on]:ring-1 data-[state=on]:ring-border [&_svg]:size-4"
        >
          {Icon ? <Icon aria-hidden /> : null}
          {iconsOnly ? null : name}
        </button>
      ))}
    </div>
  );
}

function moveFocus(event: KeyboardEvent<HTMLDivElement>): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const buttons: Element[] = [...event.currentTarget.children];
  const at = event.target instanceof Element ? buttons.indexOf(event.target) : -1;
  const step = STEPS[event.key];
  const next =
    step !== undefined
      ? (at + step + buttons.length) % buttons.length
      : event.key === "Home"
        ? 0
        : event.key === "End"
          ? buttons.length - 1
          : null;
  if (next === null || at === -1) return;
  event.preventDefault();
  const button = buttons[next];
  if (button instanceof HTMLElement) button.focus();
}
