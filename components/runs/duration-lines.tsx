import type { RunSummary } from "@/lib/client/runs";

type DurationLinesProps = { buckets: RunSummary["buckets"]; longest: number };
type Key = "p50Ms" | "p95Ms";

/** The median as a line, the 95th percentile as a fainter one; a bucket between two without runs is a dot. */
export function DurationLines({ buckets, longest }: DurationLinesProps) {
  return (
    <>
      <Line path={pathOf(buckets, "p95Ms", longest)} className="stroke-muted-foreground/60" />
      <Line path={pathOf(buckets, "p50Ms", longest)} className="stroke-primary" />
    </>
  );
}

function Line({ path, className }: { path: string; className: string }) {
  return (
    <path
      d={path}
      fill="none"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      vectorEffect="non-scaling-stroke"
      className={className}
    />
  );
}

function pathOf(buckets: RunSummary["buckets"], key: Key, longest: number): string {
  let isOpen = false;
  return buckets
    .map((bucket, index) => {
      const value = bucket[key];
      if (value === null) {
        isOpen = false;
        return "";
      }
      const point = `${index + 0.5} ${(100 - (value / longest) * 88).toFixed(2)}`;
      const isAlone = !isOpen && (buckets[index + 1]?.[key] ?? null) === null;
      const command = isOpen ? `L${point}` : `M${point}${isAlone ? "h0" : ""}`;
      isOpen = true;
      return command;
    })
    .join("");
}
