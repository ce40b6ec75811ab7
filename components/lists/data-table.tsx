"use client";

import type { ComponentProps, ReactNode } from "react";
import { cn } from "@/components/ui/cn";
import { RelativeTime } from "@/components/ui/relative-time";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";

type CellProps = Pick<ComponentProps<typeof TableCell>, "align" | "numeric" | "muted">;

export type Column<Row> = {
  header: ReactNode;
  cell: (row: Row, index: number) => ReactNode;
  /** Required unless the header is a unique string. */
  id?: string;
  className?: string;
  headerClassName?: string;
  cellClassName?: string;
  cellTitle?: (row: Row) => string;
} & CellProps;

type RowProps = Omit<ComponentProps<typeof TableRow>, "children">;

type DataTableProps<Row extends object> = {
  label: string;
  rows: readonly Row[];
  rowId?: (row: Row) => string;
  columns: readonly Column<Row>[];
  rowProps?: (row: Row, index: number) => RowProps;
};

/** A column of buttons; its header is for screen readers only. */
export function actionsColumn<Row>(cell: Column<Row>["cell"], className?: string): Column<Row> {
  const header = <span className="sr-only">Actions</span>;
  return { id: "actions", header, align: "right", cell, ...(className ? { cellClassName: className } : {}) };
}

/** A column of relative times; "Never" for null. */
export function timeColumn<Row>(
  header: string,
  at: (row: Row) => string | null,
  looks: Pick<Column<Row>, "className" | "cellClassName" | "numeric"> = {},
): Column<Row> {
  const cell = (row: Row) => {
    const value = at(row);
    return value === null ? "Never" : <RelativeTime value={value} />;
  };
  return { header, muted: true, cell, ...looks };
}

export function DataTable<Row extends object>({ label, rows, rowId, columns, rowProps }: DataTableProps<Row>) {
  const keyed = columns.map((column) => ({ key: column.id ?? String(column.header), column }));
  return (
    <Table label={label}>
      <TableHead>
        <tr>
          {keyed.map(({ key, column }) => (
            <Header key={key} column={column} />
          ))}
        </tr>
      </TableHead>
      <TableBody>
        {rows.map((row, index) => (
          <TableRow key={rowId?.(row) ?? index} {...rowProps?.(row, index)}>
            {keyed.map(({ key, column }) => (
              <Cell key={key} column={column} row={row} index={index} />
            ))}
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

function Header<Row>({ column: { header, align, numeric, className, headerClassName } }: { column: Column<Row> }) {
  return (
    <TableHeader align={align ?? (numeric ? "right" : "left")} className={cn(className, headerClassName)}>
      {header}
    </TableHeader>
  );
}

function Cell<Row>({ column, row, index }: { column: Column<Row>; row: Row; index: number }) {
  const { cell, align, numeric, muted, className, cellClassName, cellTitle } = column;
  return (
    <TableCell
      {...(align ? { align } : {})}
      {...(numeric ? { numeric } : {})}
      {...(muted ? { muted } : {})}
      className={cn(className, cellClassName)}
      title={cellTitle?.(row)}
    >
      {/* Called as a function: as a component it would remount in every render. */}
      {cell(row, index)}
    </TableCell>
  );
}
