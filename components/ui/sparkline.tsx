import type { Tone } from "./badge";

const height = 18;
const gap = 2;

type SparklineProps = {
  /** Oldest first. */
  points: readonly { value: number; tone: Tone }[];
  label: string;
  width?: number;
};

const fills: Record<Tone, string> = {
  neutral: "fill-muted-foreground/60",
  accent: "fill-primary",
  success: "fill-success-mark",
  warning: "fill-warning-mark",
  danger: "fill-danger-mark",
};

export function Sparkline({ points, label, width = 72 }: SparklineProps) {
  const top = Math.max(1, ...points.map((point) => point.value));
  const barWidth = Math.min(4, (width - gap * (points.length - 1)) / Math.max(1, points.length));
  return (
    <svg
      role="img"
      aria-label={label}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      className="inline-block shrink-0 align-middle"
    >
      <title>{label}</title>
      {points.map(({ value, tone }, index) => {
        const barHeight = Math.max(2, (value / top) * height);
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: bars have no id
            key={index}
            x={index * (barWidth + gap)}
            y={height - barHeight}
            width={barWidth}
            height={barHeight}
            rx={1}
            className={fills[tone]}
          />
        );
      })}
    </svg>
  );
}
