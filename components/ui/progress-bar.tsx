import { cn } from "./cn";

type ProgressBarProps = {
  label: string;
  done: number;
  /** 0 while unknown. */
  total: number;
  className?: string;
};

/** A progress bar; indeterminate while the total is unknown. */
export function ProgressBar({ label, done, total, className }: ProgressBarProps) {
  const isKnown = total > 0;
  const percent = isKnown ? Math.min(100, Math.round((done / total) * 100)) : 0;
  return (
    <div
      role="progressbar"
      aria-label={label}
      {...(isKnown ? { "aria-valuenow": done, "aria-valuemin": 0, "aria-valuemax": total } : {})}
      className={cn("h-1.5 w-full overflow-hidden rounded-full bg-accent", className)}
    >
      <div
        className={cn("h-full rounded-full bg-primary", !isKnown && "w-1/4 animate-pulse")}
        style={isKnown ? { width: `${done > 0 ? Math.max(2, percent) : 0}%` } : undefined}
      />
    </div>
  );
}
