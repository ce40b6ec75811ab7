"use client";

import { ArrowDown, ArrowUp, ChevronsUpDown } from "lucide-react";
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from "react";
import { cn } from "./cn";

type TableProps = ComponentProps<"table"> & {
  label: string;
};

export function Table({ label, className, ...props }: TableProps) {
  return (
    <ScrollX label={label}>
      <table aria-label={label} className={cn("w-full border-collapse text-left text-13", className)} {...props} />
    </ScrollX>
  );
}

export function TableHead({ className, ...props }: ComponentProps<"thead">) {
  return <thead className={cn("border-b text-muted-foreground text-xs", className)} {...props} />;
}

export function TableBody({ className, ...props }: ComponentProps<"tbody">) {
  return <tbody className={cn("[&>tr:last-child]:border-b-0", className)} {...props} />;
}

type TableRowProps = ComponentProps<"tr"> & {
  selected?: boolean;
  active?: boolean;
};

export function TableRow({ selected, active, className, ...props }: TableRowProps) {
  return (
    <tr
      data-selected={selected || undefined}
      data-active={active || undefined}
      className={cn(
        "group border-b hover:bg-accent/60 data-active:bg-accent data-selected:bg-selected data-active:shadow-[inset_2px_0_0_var(--primary)]",
        className,
      )}
      {...props}
    />
  );
}

type Align = "left" | "right" | "center";
const aligns: Record<Align, string> = { left: "text-left", right: "text-right", center: "text-center" };

type SortDirection = "ascending" | "descending" | "none";

type TableHeaderProps = Omit<ComponentProps<"th">, "align"> & {
  align?: Align;
  sort?: SortDirection;
  onSort?: () => void;
};

export function TableHeader({
  align = "left",
  sort = "none",
  onSort,
  className,
  children,
  ...props
}: TableHeaderProps) {
  return (
    <th
      scope="col"
      aria-sort={onSort ? sort : undefined}
      className={cn("h-8 whitespace-nowrap px-3 font-medium first:pl-4 last:pr-4", aligns[align], className)}
      {...props}
    >
      {onSort ? (
        <button
          type="button"
          onClick={onSort}
          className={cn(
            "inline-flex min-h-6 items-center gap-1 hover:text-foreground",
            sort !== "none" && "text-foreground",
          )}
        >
          {children}
          <SortIcon direction={sort} />
        </button>
      ) : (
        children
      )}
    </th>
  );
}

/** Header of a column of buttons, for screen readers only. */
export function ActionsHeader() {
  return (
    <TableHeader align="right">
      <span className="sr-only">Actions</span>
    </TableHeader>
  );
}

function SortIcon({ direction }: { direction: SortDirection }) {
  const Icon = direction === "ascending" ? ArrowUp : direction === "descending" ? ArrowDown : ChevronsUpDown;
  return <Icon aria-hidden className="size-3.5" />;
}

type TableCellProps = Omit<ComponentProps<"td">, "align"> & {
  align?: Align;
  numeric?: boolean;
  muted?: boolean;
};

export function TableCell({ align, numeric = false, muted = false, className, ...props }: TableCellProps) {
  return (
    <td
      className={cn(
        "h-8 px-3 py-0.5 align-middle first:pl-4 last:pr-4",
        aligns[align ?? (numeric ? "right" : "left")],
        numeric && "whitespace-nowrap tabular-nums",
        muted && "text-muted-foreground",
        className,
      )}
      {...props}
    />
  );
}

/** A horizontally scrolling box; focusable only while it overflows, so that arrow keys can scroll it. */
function ScrollX({ label, children }: { label: string; children: ReactNode }) {
  const ref = useRef<HTMLElement>(null);
  const [overflows, setOverflows] = useState(false);

  useEffect(() => {
    const box = ref.current;
    if (!box) return;
    const measure = () => setOverflows(box.scrollWidth > box.clientWidth);
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    if (box.firstElementChild) observer.observe(box.firstElementChild);
    return () => observer.disconnect();
  }, []);

  return (
    <section
      ref={ref}
      className="relative w-full overflow-x-auto focus-visible:-outline-offset-2"
      {...(overflows ? { tabIndex: 0, "aria-label": `${label}, scrolls sideways` } : {})}
    >
      {children}
    </section>
  );
}
