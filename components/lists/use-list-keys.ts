"use client";

import { useState } from "react";
import { useShortcut } from "@/components/shell/use-shortcut";

type RowKeys = {
  count: number;
  noun: string;
  onOpen: (index: number) => void;
  /** Keeps the active row when rows are inserted above it. */
  ids?: readonly string[];
};

/** `j` and `k` move the active row, Enter opens it. Rows have `data-row-index`. */
export function useRowKeys({ count, noun, onOpen, ids }: RowKeys): number {
  const [stood, setStood] = useState<{ index: number; id: string | undefined }>({ index: -1, id: undefined });
  const moved = ids && stood.id !== undefined ? ids.indexOf(stood.id) : -1;
  const active = moved === -1 ? stood.index : moved;
  const move = (step: number) => {
    const index = Math.max(0, Math.min(count - 1, active + step));
    setStood({ index, id: ids?.[index] });
    document.querySelector(`[data-row-index="${index}"]`)?.scrollIntoView({ block: "nearest" });
  };
  useShortcut("j", `Next ${noun}`, () => move(1), { enabled: count > 0 });
  useShortcut("k", `Previous ${noun}`, () => move(-1), { enabled: count > 0 });
  useShortcut(
    "enter",
    `Open ${noun}`,
    (event) => {
      // A focused link or button keeps its own Enter.
      const isOnControl = event.target instanceof HTMLElement && event.target.closest("a, button, summary") !== null;
      if (isOnControl && event.target instanceof HTMLElement) event.target.click();
      else if (active >= 0) onOpen(active);
    },
    { enabled: active >= 0 },
  );
  return active < count ? active : -1;
}

type LinkKeys = {
  ids: readonly string[];
  activeId: string | null;
  noun: string;
  group: string;
};

/** `j` and `k` move the focus between the links of a list, which have their id in `data-row-link`. */
export function useLinkKeys({ ids, activeId, noun, group }: LinkKeys): void {
  const index = activeId === null ? -1 : ids.indexOf(activeId);
  const move = (by: 1 | -1) => {
    const next = index === -1 ? ids[0] : (ids[index + by] ?? ids[index]);
    if (next === undefined) return;
    const link = document.querySelector<HTMLElement>(`[data-row-link="${CSS.escape(next)}"]`);
    link?.focus({ preventScroll: true });
    link?.scrollIntoView({ block: "nearest" });
  };
  useShortcut("j", `Next ${noun}`, () => move(1), { group });
  useShortcut("k", `Previous ${noun}`, () => move(-1), { group });
}
