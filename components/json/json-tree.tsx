"use client";

import { type KeyboardEvent, useMemo, useRef, useState } from "react";
import { cn } from "@/components/ui/cn";
import { JsonRowContent } from "./json-row-content";
import { childrenAtFirst, initialTreeState, type JsonRow, parentPath, visibleJsonRows } from "./json-rows";

type JsonTreeProps = {
  value: unknown;
  label: string;
  /** Breaks long values at the edge; else they scroll sideways. */
  wrap?: boolean;
  className?: string;
};

/** A JSON value to fold: arrows move, open and close, Enter toggles, `*` opens what stands beside. */
export function JsonTree({ value, label, wrap = false, className }: JsonTreeProps) {
  const [state, setState] = useState(() => initialTreeState(value));
  const [focused, setFocused] = useState("");
  const tree = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => visibleJsonRows(value, state), [value, state]);
  const tabStop = rows.some((row) => keyOf(row) === focused) ? focused : "";

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
    tree.current?.querySelectorAll<HTMLElement>("[role=treeitem]")[rows.indexOf(row)]?.focus();
  };

  const activate = (row: JsonRow) => {
    setFocused(keyOf(row));
    if (row.kind === "container") setOpen([row.path], !row.isOpen);
    if (row.kind === "more") showMore(row.path);
  };

  const onKeyDown = (event: KeyboardEvent, row: JsonRow, index: number) => {
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") activate(row);
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

  return (
    <div
      ref={tree}
      role="tree"
      aria-label={label}
      className={cn("overflow-x-auto py-1 font-mono text-xs leading-5", className)}
    >
      {rows.map((row, index) => (
        <div
          key={keyOf(row)}
          role="treeitem"
          tabIndex={keyOf(row) === tabStop ? 0 : -1}
          aria-level={row.depth + 1}
          aria-posinset={row.position}
          aria-setsize={row.siblings}
          aria-selected={false}
          aria-expanded={row.kind === "container" && row.size > 0 ? row.isOpen : undefined}
          onClick={() => activate(row)}
          onKeyDown={(event) => onKeyDown(event, row, index)}
          style={{ paddingLeft: `${row.depth * 16 + 8}px` }}
          className={cn(
            "flex min-h-6 min-w-full items-start gap-1 py-0.5 pr-3 hover:bg-accent focus-visible:-outline-offset-2",
            wrap ? "w-full" : "w-max",
          )}
        >
          <JsonRowContent row={row} />
        </div>
      ))}
    </div>
  );
}

function keyOf(row: JsonRow): string {
  return row.kind === "more" ? `${row.path}/…` : row.path;
}

function siblingContainers(rows: readonly JsonRow[], row: JsonRow): string[] {
  const parent = parentPath(row);
  return rows.filter((other) => other.kind === "container" && parentPath(other) === parent).map(({ path }) => path);
}

/** Where a key moves to; null for keys that mean nothing here, undefined at an end. */
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
