import type { ComponentProps } from "react";
import { cn } from "./cn";

/** Success: approved, succeeded. Warning: needs a person, or changes something. Danger: dangerous, failed, refused. */
export type Tone = "neutral" | "accent" | "success" | "warning" | "danger";

const tones: Record<Tone, string> = {
  neutral: "border-border text-muted-foreground",
  accent: "border-transparent bg-primary-soft text-primary",
  success: "border-success-line bg-success-soft text-success",
  warning: "border-warning-line bg-warning-soft text-warning",
  danger: "border-danger-line bg-danger-soft text-danger",
};

type BadgeProps = ComponentProps<"span"> & { tone?: Tone };

export function Badge({ tone = "neutral", className, ...props }: BadgeProps) {
  return (
    <span
      className={cn(
        "inline-flex h-5 align-middle shrink-0 items-center gap-1 whitespace-nowrap rounded-sm border px-1.5 font-medium text-xs [&_svg]:size-3.5 [&_svg]:shrink-0",
        tones[tone],
        className,
      )}
      {...props}
    />
  );
}
