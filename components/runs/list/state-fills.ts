import type { Tone } from "@/components/ui/badge";
import type { RunState } from "@/lib/runner/schema";

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
