import { cn } from "./cn";

type ProgressProps = {
  value: number;
  max?: number;
  label: string;
  tone?: "primary" | "success" | "warning" | "danger";
  className?: string;
};

const tones = {
  primary: "bg-primary",
  success: "bg-success-mark",
  warning: "bg-warning-mark",
  danger: "bg-danger-mark",
} as const;

export function Progress({ value, max = 100, label, tone = "primary", className }: ProgressProps) {
  const share = max > 0 ? Math.min(1, Math.max(0, value / max)) : 0;
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={value}
      className={cn("h-1.5 w-full overflow-hidden rounded-full bg-accent", className)}
    >
      <div className={cn("h-full rounded-full", tones[tone])} style={{ width: `${share * 100}%` }} />
    </div>
  );
}
