import { useVirtualizer } from "@tanstack/react-virtual";
import { useMemo, useRef, useState } from "react";
import { RevealedText } from "@/components/code/hidden-notice";
import { cn } from "@/components/ui/cn";
import { TableHeader } from "@/components/ui/table";
import { cellText, sortRows, type TableData, type TableSort } from "./table-of";

const rowHeight = 32;
const drawnWhole = 100;
const cellShownAtMost = 300;

/** A sortable table of objects; virtualized above 100 rows. */
export function JsonTable({ table, label }: { table: TableData; label: string }) {
  const { columns } = table;
  const [sort, setSort] = useState<TableSort | null>(null);
  const scroller = useRef<HTMLElement>(null);
  const rows = useMemo(() => sortRows(table.rows, sort), [table.rows, sort]);
  const numeric = useMemo(() => numericColumns(table), [table]);
  const isVirtual = rows.length > drawnWhole;
  const virtualizer = useVirtualizer({
    count: isVirtual ? rows.length : 0,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 20,
  });
  const items = virtualizer.getVirtualItems();
  const first = isVirtual ? (items[0]?.index ?? 0) : 0;
  const last = isVirtual ? (items.at(-1)?.index ?? -1) : rows.length - 1;

  return (
    <section
      ref={scroller}
      aria-label={`${label}, table`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      className="max-h-[32rem] overflow-auto focus-visible:-outline-offset-2"
    >
      <table
        aria-label={label}
        aria-rowcount={rows.length + 1}
        className="w-full border-separate border-spacing-0 text-left text-13"
      >
        <thead className="sticky top-0 z-10 bg-background text-muted-foreground text-xs [&_th]:border-b">
          <tr aria-rowindex={1}>
            {columns.map((column) => (
              <TableHeader
                key={column}
                align={numeric.has(column) ? "right" : "left"}
                sort={sort?.column === column ? sort.direction : "none"}
                onSort={() => setSort(nextSort(sort, column))}
              >
                <RevealedText text={column} />
              </TableHeader>
            ))}
          </tr>
        </thead>
        <tbody>
          <Spacer height={first * rowHeight} span={columns.length} />
          {rows.slice(first, last + 1).map((row, offset) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
            <tr key={first + offset} aria-rowindex={first + offset + 2} className="hover:bg-accent/60">
              {columns.map((column) => (
                <Cell key={column} value={row[column]} isNumeric={numeric.has(column)} />
              ))}
            </tr>
          ))}
          <Spacer height={(rows.length - 1 - last) * rowHeight} span={columns.length} />
        </tbody>
      </table>
    </section>
  );
}

function Spacer({ height, span }: { height: number; span: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden>
      <td colSpan={span} style={{ height, padding: 0 }} />
    </tr>
  );
}

function Cell({ value, isNumeric }: { value: unknown; isNumeric: boolean }) {
  const text = cellText(value);
  const isText = typeof value === "string";
  return (
    <td
      title={text.length > 40 ? text.slice(0, 2_000) : undefined}
      className={cn(
        "h-8 max-w-80 truncate whitespace-nowrap border-b px-3 py-0.5 first:pl-4 last:pr-4",
        isNumeric && "text-right tabular-nums",
        !isText && typeof value === "object" && value !== null && "font-mono text-muted-foreground text-xs",
        typeof value === "boolean" && "text-primary",
      )}
    >
      {value === null ? (
        <span className="text-muted-foreground italic">null</span>
      ) : value === undefined ? (
        <span className="text-muted-foreground">–</span>
      ) : (
        <RevealedText text={text.length > cellShownAtMost ? `${text.slice(0, cellShownAtMost)}…` : text} />
      )}
    </td>
  );
}

function nextSort(sort: TableSort | null, column: string): TableSort | null {
  if (sort?.column !== column) return { column, direction: "ascending" };
  return sort.direction === "ascending" ? { column, direction: "descending" } : null;
}

function numericColumns({ columns, rows }: TableData): ReadonlySet<string> {
  const isNumeric = (column: string) => {
    const values = rows.map((row) => row[column]).filter((value) => value !== null && value !== undefined);
    return values.length > 0 && values.every((value) => typeof value === "number");
  };
  return new Set(columns.filter(isNumeric));
}
