import type { Tone } from "@/components/ui/badge";

/** The marks of charts, as SVG and as a box. */
export const stateFills: Record<Tone, { fill: string; box: string }> = {
  success: { fill: "fill-success-mark", box: "bg-success-mark" },
  danger: { fill: "fill-danger-mark", box: "bg-danger-mark" },
  neutral: { fill: "fill-muted-foreground/60", box: "bg-muted-foreground/60" },
  accent: { fill: "fill-primary", box: "bg-primary" },
  warning: { fill: "fill-warning-mark", box: "bg-warning-mark" },
};
