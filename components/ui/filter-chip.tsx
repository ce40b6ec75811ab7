import { X } from "lucide-react";
import { cn } from "./cn";

type FilterChipProps = {
  label: string;
  value: string;
  onRemove: () => void;
  className?: string;
};

export function FilterChip({ label, value, onRemove, className }: FilterChipProps) {
  return (
    <span className={cn("inline-flex h-7 items-center rounded-md border bg-muted pl-2 text-13", className)}>
      <span className="text-muted-foreground">{label}</span>
      <span className="ml-1 max-w-48 truncate font-medium" title={value}>
        {value}
      </span>
      <button
        type="button"
        onClick={onRemove}
        aria-label={`Remove filter ${label} ${value}`}
        className="ml-0.5 inline-flex size-7 items-center justify-center rounded-md text-muted-foreground hover:text-foreground"
      >
        <X aria-hidden className="size-3.5" />
      </button>
    </span>
  );
}
