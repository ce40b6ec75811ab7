import type { Tone } from "./badge";
import { cn } from "./cn";

export type SparklinePoint = { value: number; tone?: Tone };

type SparklineProps = {
  /** Oldest first. */
  points: readonly SparklinePoint[];
  label: string;
  variant?: "bars" | "line";
  width?: number;
  height?: number;
  className?: string;
};

const fills: Record<Tone, string> = {
  neutral: "fill-muted-foreground/60",
  accent: "fill-primary",
  success: "fill-success-mark",
  warning: "fill-warning-mark",
  danger: "fill-danger-mark",
};

export function Sparkline({ points, label, variant = "bars", width = 72, height = 18, className }: SparklineProps) {
  const top = Math.max(1, ...points.map((point) => point.value));
  return (
    <svg
      role="img"
      aria-label={label}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      className={cn("inline-block shrink-0 align-middle", className)}
    >
      <title>{label}</title>
      {variant === "bars" ? (
        <Bars points={points} top={top} width={width} height={height} />
      ) : (
        <polyline
          points={points
            .map(({ value }, index) => {
              const x = points.length > 1 ? (index / (points.length - 1)) * (width - 2) + 1 : width / 2;
              return `${x.toFixed(1)},${(height - 1 - (value / top) * (height - 2)).toFixed(1)}`;
            })
            .join(" ")}
          className="fill-none stroke-primary"
          strokeWidth={1.5}
          strokeLinejoin="round"
          strokeLinecap="round"
        />
      )}
    </svg>
  );
}

type BarsProps = { points: readonly SparklinePoint[]; top: number; width: number; height: number };

function Bars({ points, top, width, height }: BarsProps) {
  const gap = 2;
  const barWidth = Math.min(4, (width - gap * (points.length - 1)) / Math.max(1, points.length));
  return points.map(({ value, tone = "neutral" }, index) => {
    const barHeight = Math.max(2, (value / top) * height);
    return (
      <rect
        // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
        key={index}
        x={index * (barWidth + gap)}
        y={height - barHeight}
        width={barWidth}
        height={barHeight}
        rx={1}
        className={fills[tone]}
      />
    );
  });
}
