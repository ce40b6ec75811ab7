import { formatDuration } from "@/components/ui/format-time";
import type { RunSummary } from "@/lib/client/runs";
import { countWords } from "./state-order";

type ChartTableProps = { buckets: RunSummary["buckets"]; spanOf: (index: number) => string };

/** The charts' figures, for screen readers; times without a run are left out. */
export function ChartTable({ buckets, spanOf }: ChartTableProps) {
  return (
    <div className="sr-only">
      <table>
        <caption>Runs over time</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Runs</th>
            <th scope="col">Median duration</th>
            <th scope="col">95th percentile</th>
          </tr>
        </thead>
        <tbody>
          {buckets.map((bucket, index) =>
            Object.keys(bucket.states).length === 0 ? null : (
              <tr key={bucket.from}>
                <th scope="row">{spanOf(index)}</th>
                <td>{countWords(bucket.states)}</td>
                <td>{bucket.p50Ms === null ? "–" : formatDuration(bucket.p50Ms)}</td>
                <td>{bucket.p95Ms === null ? "–" : formatDuration(bucket.p95Ms)}</td>
              </tr>
            ),
          )}
        </tbody>
      </table>
    </div>
  );
}
