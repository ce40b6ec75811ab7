"use client";

import { type Column, DataTable } from "@/components/lists/data-table";
import { formatDuration } from "@/components/ui/format-time";

import type { TraceFigures as Figures } from "@/lib/agent/traces/schema";
import { formatShare } from "./trace-labels";

type Item = Figures["items"][number];
type TraceFiguresProps = {
  label: string;
  items: readonly Item[];
  /** Header of the first column: "Skill" or "Version". */
  head: string;
  nameOf: (item: Item) => string;
  onPick?: (item: Item) => void;
};

export function TraceFigures({ label, items, head, nameOf, onPick }: TraceFiguresProps) {
  const columns: readonly Column<Item>[] = [
    {
      header: head,
      cellClassName: "max-w-60 truncate",
      cell: (item) =>
        onPick ? (
          <button type="button" onClick={() => onPick(item)} className="min-h-6 max-w-full truncate hover:underline">
            {nameOf(item)}
          </button>
        ) : (
          nameOf(item)
        ),
    },
    ...figureColumns,
  ];
  return (
    <DataTable
      label={label}
      rows={items}
      rowId={({ skill, versionDigest }) => `${skill.id} ${versionDigest}`}
      columns={columns}
    />
  );
}

const figureColumns: readonly Column<Item>[] = [
  { header: "Uses", numeric: true, cell: ({ uses }) => uses },
  { header: "Succeeded", numeric: true, cell: ({ okShare }) => formatShare(okShare) },
  {
    header: "Median duration",
    numeric: true,
    muted: true,
    className: "max-md:hidden",
    cell: ({ medianMs }) => (medianMs === null ? "–" : formatDuration(medianMs)),
  },
  {
    header: "Ratings",
    numeric: true,
    muted: true,
    cell: ({ up, down }) => (
      <>
        <span className="sr-only">{`${up} up, ${down} down`}</span>
        <span aria-hidden title={`${up} up, ${down} down`}>
          +{up} −{down}
        </span>
      </>
    ),
  },
];
