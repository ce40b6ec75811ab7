import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, type Ref, useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from "react";
import type { CatalogItem } from "@/lib/catalog/schema";

export type EntryFocus = { focus: (index: number) => void };

type VirtualEntriesProps = {
  items: readonly CatalogItem[];
  /** Number of matching entries, loaded or not. */
  total: number;
  rowHeight: number;
  gap: number;
  /** In pixels; 0 means a single column. */
  minColumnWidth: number;
  ref: Ref<EntryFocus>;
  children: (item: CatalogItem) => ReactNode;
};

const noWidth = 0;
/** Height of the sticky top bar and toolbar, in pixels. */
const scrollPaddingTop = 96;
const scrollPaddingBottom = 80;

/** Renders only the entries near the window. All rows have one height, so that none needs to be measured. */
export function VirtualEntries({ items, total, rowHeight, gap, minColumnWidth, ref, children }: VirtualEntriesProps) {
  const list = useRef<HTMLUListElement>(null);
  const pendingFocusId = useRef<string | null>(null);
  const { top, width } = usePosition(list);
  const columns = minColumnWidth === 0 ? 1 : Math.max(1, Math.floor((width + gap) / (minColumnWidth + gap)));
  const virtualizer = useWindowVirtualizer({
    count: Math.ceil(items.length / columns),
    estimateSize: () => rowHeight + gap,
    overscan: 6,
    scrollMargin: top,
    scrollPaddingStart: scrollPaddingTop + gap,
    scrollPaddingEnd: scrollPaddingBottom,
  });
  // The virtualizer keeps old sizes until it is told to measure again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: sizes depend on the layout alone
  useLayoutEffect(() => virtualizer.measure(), [rowHeight, gap, columns]);

  const focusPending = () => {
    const link = pendingFocusId.current === null ? null : findLink(list.current, pendingFocusId.current);
    if (!link) return;
    pendingFocusId.current = null;
    link.focus({ preventScroll: true });
  };
  useEffect(focusPending);
  useImperativeHandle(ref, () => ({
    focus: (index) => {
      const item = items[index];
      if (!item) return;
      pendingFocusId.current = item.id;
      virtualizer.scrollToIndex(Math.floor(index / columns));
      focusPending();
    },
  }));

  return (
    <ul
      ref={list}
      aria-label="Skills of the catalog"
      className="relative"
      style={{ height: virtualizer.getTotalSize() }}
    >
      {width === noWidth
        ? null
        : virtualizer.getVirtualItems().flatMap((row) =>
            items.slice(row.index * columns, (row.index + 1) * columns).map((item, column) => (
              <li
                key={item.id}
                aria-setsize={total}
                aria-posinset={row.index * columns + column + 1}
                className="absolute top-0"
                style={{
                  height: rowHeight,
                  width: `calc((100% - ${gap * (columns - 1)}px) / ${columns})`,
                  left: `calc((100% + ${gap}px) / ${columns} * ${column})`,
                  transform: `translateY(${row.start - top}px)`,
                }}
              >
                {children(item)}
              </li>
            )),
          )}
    </ul>
  );
}

/** The list's distance from the top of the page and its width, in pixels. */
function usePosition(list: React.RefObject<HTMLElement | null>): { top: number; width: number } {
  const [place, setPlace] = useState({ top: 0, width: noWidth });
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    const measure = () => {
      const box = element.getBoundingClientRect();
      const top = Math.round(box.top + window.scrollY);
      setPlace((before) => (before.top === top && before.width === box.width ? before : { top, width: box.width }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    // Content above the list moves it without changing its size.
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [list]);
  return place;
}

function findLink(list: HTMLElement | null, id: string): HTMLElement | null {
  return list?.querySelector<HTMLElement>(`[data-row-link="${CSS.escape(id)}"]`) ?? null;
}
