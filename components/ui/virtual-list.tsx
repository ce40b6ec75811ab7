"use client";

import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useEffect, useRef } from "react";
import { cn } from "./cn";

type VirtualListProps<T> = {
  items: readonly T[];
  getKey: (item: T, index: number) => string | number;
  children: (item: T, index: number) => ReactNode;
  label: string;
  /** The usual height; rows that differ are measured. */
  rowHeight?: number;
  /** Called near the end of the list: load the next page. */
  onEndReached?: () => void;
  /** The row to keep in view, such as the one `j` and `k` stand on. */
  activeIndex?: number;
  /** Must give a height: `h-96`, `flex-1 min-h-0`. */
  className?: string;
};

/** A scrolling list that renders the rows in view alone. */
export function VirtualList<T>({
  items,
  getKey,
  children,
  label,
  rowHeight = 32,
  onEndReached,
  activeIndex,
  className,
}: VirtualListProps<T>) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    getItemKey: (index) => {
      const item = items[index];
      return item === undefined ? index : getKey(item, index);
    },
  });
  const rows = virtualizer.getVirtualItems();
  const lastIndex = rows.at(-1)?.index ?? -1;

  useEffect(() => {
    if (items.length > 0 && lastIndex >= items.length - 8) onEndReached?.();
  }, [lastIndex, items.length, onEndReached]);

  useEffect(() => {
    if (activeIndex !== undefined && activeIndex >= 0) virtualizer.scrollToIndex(activeIndex, { align: "auto" });
  }, [activeIndex, virtualizer]);

  return (
    <div
      ref={scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      className={cn("overflow-y-auto focus-visible:-outline-offset-2", className)}
    >
      <ul aria-label={label} className="relative w-full" style={{ height: virtualizer.getTotalSize() }}>
        {rows.map((row) => {
          const item = items[row.index];
          if (item === undefined) return null;
          return (
            <li
              key={row.key}
              ref={virtualizer.measureElement}
              data-index={row.index}
              aria-setsize={items.length}
              aria-posinset={row.index + 1}
              className="absolute top-0 left-0 w-full"
              style={{ transform: `translateY(${row.start}px)` }}
            >
              {children(item, row.index)}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
