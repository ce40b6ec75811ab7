"use client";

import { formatDuration } from "@/components/ui/format-time";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import type { TraceFigures as Figures } from "@/lib/client/traces";
import { shareWords } from "./trace-labels";

type Item = Figures["items"][number];
type TraceFiguresProps = {
  label: string;
  items: readonly Item[];
  /** What a row is: a skill or a version. */
  head: string;
  nameOf: (item: Item) => string;
  onPick?: (item: Item) => void;
};

/** Uses, share of success, median duration and thumbs, a row for each skill or version. */
export function TraceFigures({ label, items, head, nameOf, onPick }: TraceFiguresProps) {
  return (
    <Table label={label}>
      <TableHead>
        <tr>
          <TableHeader>{head}</TableHeader>
          <TableHeader align="right">Uses</TableHeader>
          <TableHeader align="right">Succeeded</TableHeader>
          <TableHeader align="right" className="max-md:hidden">
            Median
          </TableHeader>
          <TableHeader align="right">Thumbs</TableHeader>
        </tr>
      </TableHead>
      <TableBody>
        {items.map((item) => (
          <TableRow key={`${item.skill.id} ${item.versionDigest}`}>
            <TableCell className="max-w-60 truncate">
              {onPick ? (
                <button
                  type="button"
                  onClick={() => onPick(item)}
                  className="min-h-6 max-w-full truncate hover:underline"
                >
                  {nameOf(item)}
                </button>
              ) : (
                nameOf(item)
              )}
            </TableCell>
            <TableCell numeric>{item.uses}</TableCell>
            <TableCell numeric>{shareWords(item.okShare)}</TableCell>
            <TableCell numeric muted className="max-md:hidden">
              {item.medianMs === null ? "–" : formatDuration(item.medianMs)}
            </TableCell>
            <TableCell numeric muted>
              <span className="sr-only">{`${item.up} up, ${item.down} down`}</span>
              <span aria-hidden title={`${item.up} up, ${item.down} down`}>
                +{item.up} −{item.down}
              </span>
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}
