import { useVirtualizer } from "@tanstack/react-virtual";
import { ChevronRight, Copy } from "lucide-react";
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { RevealedText } from "@/components/code/hidden-notice";
import { useCopy } from "@/components/state/use-copy";
import { cn } from "@/components/ui/cn";
import { jsonPathOf } from "./json-pointer";
import { childrenAtFirst, initialTreeState, type JsonRow, parentPath, visibleJsonRows } from "./json-rows";
import { revealPath } from "./search-json";

type JsonTreeProps = {
  value: unknown;
  label: string;
  wrap?: boolean;
  /** JSON Pointers to highlight, and the one to scroll to. */
  marked?: readonly string[];
  target?: string | null;
  className?: string;
};

const drawnWhole = 400;
const rowHeight = 24;

/** A collapsible JSON tree. Arrow keys navigate, Enter toggles, `*` expands the siblings, `c` copies the path. */
export function JsonTree({ value, label, wrap = false, marked, target = null, className }: JsonTreeProps) {
  const [state, setState] = useState(() => initialTreeState(value));
  const [focused, setFocused] = useState("");
  const tree = useRef<HTMLDivElement>(null);
  const toFocus = useRef<string | null>(null);
  const { copied, copy } = useCopy();
  const rows = useMemo(() => visibleJsonRows(value, state), [value, state]);
  const marks = useMemo(() => new Set(marked), [marked]);
  const tabStop = rows.some((row) => keyOf(row) === focused) ? focused : "";
  const isVirtual = rows.length > drawnWhole;
  const virtualizer = useVirtualizer({
    count: isVirtual ? rows.length : 0,
    getScrollElement: () => tree.current,
    estimateSize: () => rowHeight,
    overscan: 30,
  });

  useEffect(() => {
    if (target !== null) setState((before) => revealPath(value, before, target));
  }, [target, value]);

  useEffect(() => {
    if (target === null) return;
    const index = rows.findIndex((row) => keyOf(row) === target);
    if (index < 0) return;
    if (isVirtual) virtualizer.scrollToIndex(index, { align: "center" });
    else scrollInside(tree.current, elementOf(tree.current, target));
  }, [target, rows, isVirtual, virtualizer]);

  useEffect(() => {
    const element = toFocus.current === null ? null : elementOf(tree.current, toFocus.current);
    if (!element) return;
    toFocus.current = null;
    element.focus();
  });

  const copyPath = (row: JsonRow) => void copy(jsonPathOf(value, row.path));

  const setOpen = (paths: readonly string[], isOpen: boolean) =>
    setState((before) => {
      const open = new Set(before.open);
      for (const path of paths) {
        if (isOpen) open.add(path);
        else open.delete(path);
      }
      return { ...before, open };
    });

  const showMore = (path: string) =>
    setState((before) => {
      const shown = (before.shown.get(path) ?? childrenAtFirst) + childrenAtFirst;
      return { ...before, shown: new Map(before.shown).set(path, shown) };
    });

  const focus = (row: JsonRow | undefined) => {
    if (!row) return;
    setFocused(keyOf(row));
    toFocus.current = keyOf(row);
    if (isVirtual) virtualizer.scrollToIndex(rows.indexOf(row));
  };

  const activate = (row: JsonRow) => {
    setFocused(keyOf(row));
    if (row.kind === "container") setOpen([row.path], !row.isOpen);
    if (row.kind === "more") showMore(row.path);
  };

  const onKeyDown = (event: KeyboardEvent, row: JsonRow, index: number) => {
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") activate(row);
    else if (event.key === "c" && row.kind !== "more") copyPath(row);
    else if (event.key === "*") setOpen(siblingContainers(rows, row), true);
    else if (event.key === "ArrowRight" && row.kind === "container" && !row.isOpen) setOpen([row.path], true);
    else if (event.key === "ArrowLeft" && row.kind === "container" && row.isOpen) setOpen([row.path], false);
    else {
      const target = rowAfterKey(event.key, rows, index);
      if (target === null) return;
      focus(target);
    }
    event.preventDefault();
  };

  const drawRow = (row: JsonRow, index: number, top: number | null) => {
    const key = keyOf(row);
    return (
      <div
        key={key}
        role="treeitem"
        data-key={key}
        data-index={index}
        ref={top === null ? undefined : virtualizer.measureElement}
        tabIndex={key === tabStop ? 0 : -1}
        aria-level={row.depth + 1}
        aria-posinset={row.position}
        aria-setsize={row.siblings}
        aria-selected={key === target}
        aria-expanded={row.kind === "container" && row.size > 0 ? row.isOpen : undefined}
        onClick={() => activate(row)}
        onKeyDown={(event) => onKeyDown(event, row, index)}
        style={{
          paddingLeft: `${row.depth * 16 + 8}px`,
          ...(top === null ? {} : { transform: `translateY(${top}px)` }),
        }}
        className={cn(
          "group/row flex min-h-6 min-w-full items-start gap-1 py-0.5 pr-3 hover:bg-accent focus-visible:-outline-offset-2",
          wrap ? "w-full" : "w-max",
          top !== null && "absolute top-0 left-0",
          marks.has(key) && "bg-primary-soft",
          key === target && "bg-selected shadow-[inset_2px_0_0_var(--primary)]",
        )}
      >
        <JsonRowContent row={row} />
        {row.kind === "more" ? null : (
          // Mouse alternative to the key `c`, since a tree item must not contain other focusable elements.
          <span
            aria-hidden
            onClick={(event) => {
              event.stopPropagation();
              copyPath(row);
            }}
            title="Copy path (c)"
            className="invisible ml-1 shrink-0 cursor-pointer self-start p-0.5 text-muted-foreground hover:text-foreground group-hover/row:visible"
          >
            <Copy className="size-3.5" />
          </span>
        )}
      </div>
    );
  };

  return (
    <>
      <div
        ref={tree}
        role="tree"
        aria-label={label}
        className={cn("overflow-x-auto py-1 font-mono text-xs leading-5", className)}
      >
        {isVirtual ? (
          <div role="none" className="relative min-w-full" style={{ height: virtualizer.getTotalSize() }}>
            {virtualizer.getVirtualItems().map(({ index, start }) => {
              const row = rows[index];
              return row ? drawRow(row, index, start) : null;
            })}
          </div>
        ) : (
          rows.map((row, index) => drawRow(row, index, null))
        )}
      </div>
      <span role="status" className="sr-only">
        {copied ? "Path copied" : ""}
      </span>
    </>
  );
}

function elementOf(tree: HTMLElement | null, key: string): HTMLElement | null {
  const items = tree?.querySelectorAll<HTMLElement>("[role=treeitem]") ?? [];
  return [...items].find((item) => item.dataset.key === key) ?? null;
}

function scrollInside(box: HTMLElement | null, element: HTMLElement | null): void {
  if (!box || !element) return;
  const [outer, inner] = [box.getBoundingClientRect(), element.getBoundingClientRect()];
  if (inner.top < outer.top || inner.bottom > outer.bottom) {
    box.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2;
  }
}

function keyOf(row: JsonRow): string {
  return row.kind === "more" ? `${row.path}/…` : row.path;
}

function siblingContainers(rows: readonly JsonRow[], row: JsonRow): string[] {
  const parent = parentPath(row);
  return rows.filter((other) => other.kind === "container" && parentPath(other) === parent).map(({ path }) => path);
}

/** The row that a key moves to; null for other keys, undefined at an end. */
function rowAfterKey(key: string, rows: readonly JsonRow[], index: number): JsonRow | undefined | null {
  const row = rows[index];
  switch (key) {
    case "ArrowDown":
      return rows[index + 1];
    case "ArrowUp":
      return rows[index - 1];
    case "Home":
      return rows[0];
    case "End":
      return rows.at(-1);
    case "ArrowRight":
      return row?.kind === "container" && row.isOpen ? rows[index + 1] : undefined;
    case "ArrowLeft":
      return row && rows.find((other) => other.kind === "container" && other.path === parentPath(row));
    default:
      return null;
  }
}

const textShownAtMost = 4_000;

function JsonRowContent({ row }: { row: JsonRow }) {
  if (row.kind === "more") {
    return <span className="ml-5 text-primary underline underline-offset-2">{moreLabel(row.hidden)}</span>;
  }
  return (
    <>
      {row.kind === "container" && row.size > 0 ? (
        <ChevronRight
          aria-hidden
          className={cn("mt-1 size-3 shrink-0 text-muted-foreground", row.isOpen && "rotate-90")}
        />
      ) : (
        <span aria-hidden className="w-3 shrink-0" />
      )}
      {row.name === null ? null : (
        <span className="shrink-0 text-muted-foreground">
          <RevealedText text={row.name} />
          <span aria-hidden>:</span>
        </span>
      )}
      {row.kind === "container" ? <Summary row={row} /> : <Scalar value={row.value} />}
    </>
  );
}

function Summary({ row }: { row: Extract<JsonRow, { kind: "container" }> }) {
  const brackets = row.shape === "array" ? "[]" : "{}";
  const noun = row.shape === "array" ? (row.size === 1 ? "item" : "items") : row.size === 1 ? "key" : "keys";
  return (
    <span>
      {brackets} <span className="text-muted-foreground">{row.size === 0 ? "empty" : `${row.size} ${noun}`}</span>
    </span>
  );
}

function Scalar({ value }: { value: string | number | boolean | null }) {
  if (typeof value === "string") {
    const rest = value.length - textShownAtMost;
    return (
      <span className="min-w-0 max-w-[70ch] whitespace-pre-wrap wrap-anywhere">
        <RevealedText text={JSON.stringify(rest > 0 ? value.slice(0, textShownAtMost) : value)} />
        {rest > 0 ? (
          <span className="text-muted-foreground"> … and {rest.toLocaleString("en")} more characters</span>
        ) : null}
      </span>
    );
  }
  return <span className={value === null ? "text-muted-foreground italic" : "text-primary"}>{String(value)}</span>;
}

function moreLabel(hidden: number): string {
  return `Show ${Math.min(hidden, 100)} more of ${hidden}`;
}
