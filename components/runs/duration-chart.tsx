import { formatDuration } from "@/components/ui/format-time";
import { stateLooks } from "@/components/ui/state-chip";
import { hasEnded, type Run } from "@/lib/client/runs";

const height = 44;
const barWidth = 8;
const gap = 3;
const most = 30;

const fills = {
  success: "fill-success-mark",
  danger: "fill-danger-mark",
  neutral: "fill-muted-foreground/60",
  accent: "fill-primary",
  warning: "fill-warning-mark",
} as const;

/** How long the last runs took, the newest at the right. */
export function DurationChart({ runs }: { runs: readonly Run[] }) {
  const ended = runs
    .filter((run) => hasEnded(run.state) && run.durationMs !== null)
    .slice(0, most)
    .reverse();
  if (ended.length < 2) return null;
  const longest = Math.max(...ended.map((run) => run.durationMs ?? 0), 1);
  const width = ended.length * (barWidth + gap) - gap;
  const label = `Durations of the last ${ended.length} runs, the longest ${formatDuration(longest)}`;
  return (
    <figure className="flex items-end gap-3">
      <svg role="img" aria-label={label} width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
        <title>{label}</title>
        {ended.map((run, index) => {
          const tall = Math.max(3, ((run.durationMs ?? 0) / longest) * height);
          const { tone, label: state } = stateLooks[run.state];
          return (
            <rect
              key={run.id}
              x={index * (barWidth + gap)}
              y={height - tall}
              width={barWidth}
              height={tall}
              rx={1.5}
              className={fills[tone]}
            >
              <title>{`${state}, ${formatDuration(run.durationMs ?? 0)}`}</title>
            </rect>
          );
        })}
      </svg>
      <figcaption className="text-muted-foreground text-xs leading-4">
        Longest {formatDuration(longest)}
        <br />
        Median {formatDuration(median(ended.map((run) => run.durationMs ?? 0)))}
      </figcaption>
    </figure>
  );
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
