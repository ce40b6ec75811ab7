import type { AuditHistogram } from "@/lib/audit/schema";

type HistogramTableProps = { histogram: AuditHistogram; spanOf: (index: number) => string };

/** The chart as a table for screen readers, without empty times. */
export function HistogramTable({ histogram: { counts, bad }, spanOf }: HistogramTableProps) {
  return (
    <div className="sr-only">
      <table>
        <caption>Events over time</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Events</th>
            <th scope="col">Refused or failed</th>
          </tr>
        </thead>
        <tbody>
          {counts.map((count, index) => {
            const span = spanOf(index);
            return count === 0 ? null : (
              <tr key={span}>
                <th scope="row">{span}</th>
                <td>{count}</td>
                <td>{bad[index] ?? 0}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
