"use client";

import { Badge } from "@/components/ui/badge";
import { formatDuration } from "@/components/ui/format-time";
import { RelativeTime } from "@/components/ui/relative-time";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import type { Trace } from "@/lib/client/traces";
import { TraceRating } from "./trace-rating";
import { kindWords, outcomeLooks, skillWords, surfaceWords } from "./trace-words";

type TraceTableProps = { traces: readonly Trace[]; active: number; onOpen: (id: string) => void };

export function TraceTable({ traces, active, onOpen }: TraceTableProps) {
  return (
    <Table label="Traces">
      <TableHead>
        <tr>
          <TableHeader>Skill</TableHeader>
          <TableHeader className="max-md:hidden">Kind</TableHeader>
          <TableHeader className="max-md:hidden">Surface</TableHeader>
          <TableHeader>Outcome</TableHeader>
          <TableHeader align="right" className="max-lg:hidden">
            Duration
          </TableHeader>
          <TableHeader className="max-lg:hidden">Person</TableHeader>
          <TableHeader align="right" className="max-md:hidden">
            When
          </TableHeader>
          <TableHeader>Rating</TableHeader>
        </tr>
      </TableHead>
      <TableBody>
        {traces.map((trace, index) => (
          <TableRow key={trace.id} active={index === active} data-row-index={index} className="relative">
            <TableCell className="max-w-72 py-1.5 max-md:w-full max-md:max-w-0">
              {/* The button covers its row, so that the whole row can be pressed. */}
              <button
                type="button"
                onClick={() => onOpen(trace.id)}
                className="block max-w-full truncate font-medium after:absolute after:inset-0 hover:underline"
              >
                {skillWords(trace.skill)}
              </button>
              <span className="block truncate text-muted-foreground text-xs" title={trace.detail}>
                {wordsBelow(trace)}
              </span>
              <span className="block truncate text-muted-foreground text-xs md:hidden">
                {surfaceWords[trace.surface]}, <RelativeTime value={trace.at} />
              </span>
            </TableCell>
            <TableCell className="max-md:hidden">{kindWords[trace.kind]}</TableCell>
            <TableCell className="max-md:hidden">{surfaceWords[trace.surface]}</TableCell>
            <TableCell>
              <Badge tone={outcomeLooks[trace.outcome].tone}>{outcomeLooks[trace.outcome].label}</Badge>
            </TableCell>
            <TableCell numeric muted className="max-lg:hidden">
              {trace.durationMs === null ? "–" : formatDuration(trace.durationMs)}
            </TableCell>
            <TableCell className="max-w-40 truncate max-lg:hidden">
              {trace.person.name ?? "Somebody who left"}
            </TableCell>
            <TableCell numeric muted className="max-md:hidden">
              <RelativeTime value={trace.at} />
            </TableCell>
            <TableCell>
              <TraceRating trace={trace} />
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

/** The version, and what the outcome beside it does not say. */
function wordsBelow({ versionNumber, kind, outcome, detail }: Trace): string {
  const version = versionNumber === null ? [] : [`Version ${versionNumber}`];
  return [...version, ...(kind === "executable" && outcome === "ok" ? [] : [detail])].join(". ");
}
