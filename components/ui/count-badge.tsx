import { cn } from "./cn";

type CountBadgeProps = {
  count: number;
  /** Read after the number by screen readers: "pending approvals". */
  label: string;
  tone?: "neutral" | "warning";
  className?: string;
};

export function CountBadge({ count, label, tone = "neutral", className }: CountBadgeProps) {
  if (count <= 0) return null;
  return (
    <span
      className={cn(
        "inline-flex h-[18px] min-w-[18px] items-center justify-center rounded-full px-1 font-medium text-xs tabular-nums",
        tone === "warning"
          ? "bg-warning-soft text-warning ring-1 ring-warning-line"
          : "bg-accent text-muted-foreground",
        className,
      )}
    >
      {count > 99 ? "99+" : count}
      <span className="sr-only"> {label}</span>
    </span>
  );
}
