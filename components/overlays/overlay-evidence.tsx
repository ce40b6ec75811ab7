import { RelativeTime } from "@/components/ui/relative-time";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import type { SkillOverlay } from "@/lib/client/overlays";

type Evidence = SkillOverlay["evidence"];

const percent = (share: number) => `${Math.round(share * 100)} %`;

/** What a proposal rests on: figures, and the uses it was made from. */
export function OverlayEvidence({ evidence }: { evidence: Evidence }) {
  const { traces, ratedUp, ratedDown, failed, score } = evidence;
  const figures = `Evidence: ${ratedUp} rated up, ${ratedDown} rated down, ${failed} failed${
    score ? `; ${score.model} chose rightly ${percent(score.before)} before and ${percent(score.after)} after` : ""
  }`;
  if (traces.length === 0) {
    const isBare = ratedUp + ratedDown + failed === 0 && score === null;
    return <p className="text-13 text-muted-foreground">{isBare ? "No evidence to show." : figures}</p>;
  }
  return (
    <details className="text-13">
      <summary className="cursor-pointer rounded-sm">{figures}</summary>
      <div className="pt-2">
        <Table label="Traces the proposal was made from">
          <TableHead>
            <tr>
              <TableHeader>Request</TableHeader>
              <TableHeader>From</TableHeader>
              <TableHeader>Outcome</TableHeader>
              <TableHeader>Rating</TableHeader>
              <TableHeader>When</TableHeader>
            </tr>
          </TableHead>
          <TableBody>
            {traces.map((trace) => (
              <TableRow key={trace.id}>
                <TableCell className="max-w-80 truncate" title={trace.input}>
                  {trace.chosen ? <strong className="font-medium">Example: </strong> : null}
                  {trace.input || <span className="text-muted-foreground">Nothing was asked</span>}
                </TableCell>
                <TableCell muted>{trace.surface}</TableCell>
                <TableCell muted>{trace.outcome}</TableCell>
                <TableCell muted>{trace.rating > 0 ? "Up" : trace.rating < 0 ? "Down" : "None"}</TableCell>
                <TableCell muted className="whitespace-nowrap">
                  <RelativeTime value={trace.at} />
                </TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </div>
    </details>
  );
}
