import type { Tone } from "@/components/ui/badge";
import type { RunState } from "@/lib/runner/schema";

/** How many times longer than nearly all others a value must be to leave the scale. */
const outlierFactor = 5;

const minimumValues = 5;

export type ChartScale = {
  /** The value at the top of the chart. */
  top: number;
  /** The largest value when it is above the top; null when all fit. */
  beyond: number | null;
};

/**
 * The scale of a chart: up to the largest value, unless a few outliers would press all others to the floor. Then it ends a
 * little above the 90th percentile, and larger values are drawn at the top.
 */
export function chartScale(values: readonly number[]): ChartScale {
  const sorted = [...values].sort((a, b) => a - b);
  const largest = sorted.at(-1) ?? 0;
  const usual = sorted[Math.ceil(sorted.length * 0.9) - 1] ?? 0;
  const hasOutliers = sorted.length >= minimumValues && usual > 0 && largest > usual * outlierFactor;
  return hasOutliers ? { top: usual * 1.5, beyond: largest } : { top: Math.max(1, largest), beyond: null };
}

/** Chart colours as SVG and box classes. */
export const stateFills: Record<Tone, { fill: string; box: string }> = {
  success: { fill: "fill-success-mark", box: "bg-success-mark" },
  danger: { fill: "fill-danger-mark", box: "bg-danger-mark" },
  neutral: { fill: "fill-muted-foreground/60", box: "bg-muted-foreground/60" },
  accent: { fill: "fill-primary", box: "bg-primary" },
  warning: { fill: "fill-warning-mark", box: "bg-warning-mark" },
};

/** Order of the states in bars (bottom up) and in texts. */
export const stateOrder: readonly RunState[] = [
  "succeeded",
  "failed",
  "running",
  "queued",
  "awaiting_approval",
  "cancelled",
  "rejected",
  "expired",
];
