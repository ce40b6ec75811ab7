"use client";

import { useEffect, useState } from "react";
import { useShortcut } from "@/components/shell/use-shortcut";

type RowKeys = { count: number; noun: string; onOpen: (index: number) => void };

/** `j` and `k` move over the rows of a list, Enter opens. Rows carry `data-row-index`. */
export function useRowKeys({ count, noun, onOpen }: RowKeys): number {
  const [active, setActive] = useState(-1);
  const move = (step: number) => setActive((before) => Math.max(0, Math.min(count - 1, before + step)));
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
  useEffect(() => {
    if (active < 0) return;
    document.querySelector(`[data-row-index="${active}"]`)?.scrollIntoView({ block: "nearest" });
  }, [active]);
  return active < count ? active : -1;
}
