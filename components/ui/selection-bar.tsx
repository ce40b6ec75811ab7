import { X } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "./cn";
import { IconButton } from "./icon-button";

type SelectionBarProps = {
  label: string;
  count: number;
  onClear: () => void;
  children: ReactNode;
  dialogs: ReactNode;
  className?: string;
};

/** The number of selected items and actions on them. An overlay, so that selecting does not move the list. */
export function SelectionBar({ label, count, onClear, children, dialogs, className }: SelectionBarProps) {
  return (
    <div className="-mb-4 sticky top-[calc(var(--topbar-height)+0.75rem)] z-20 h-0">
      <section
        aria-label={label}
        className={cn(
          "-inset-x-1.5 -top-1.5 absolute flex animate-fade items-center gap-1 rounded-lg border bg-popover p-1.5 shadow-float",
          className,
        )}
      >
        <span role="status" className="whitespace-nowrap px-2 text-13 tabular-nums">
          {count} <span className="max-sm:sr-only">selected</span>
        </span>
        {children}
        <IconButton label="Clear selection" size="sm" className="ml-auto" onClick={onClear}>
          <X aria-hidden />
        </IconButton>
      </section>
      {dialogs}
    </div>
  );
}
