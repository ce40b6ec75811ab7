"use client";

import { useShortcut } from "@/components/shell/use-shortcut";
import type { UpdateItem } from "@/lib/catalog/update/schema";
import { canTake } from "./update-row";

type UpdateKeys = {
  /** In the order on the screen. */
  items: readonly UpdateItem[];
  activeId: string | null;
  selected: ReadonlySet<string>;
  onSelect: (id: string, selected: boolean) => void;
};

/** `j k` move the focus from name to name, where Enter opens; `x` selects. */
export function useUpdateKeys({ items, activeId, selected, onSelect }: UpdateKeys): void {
  const index = items.findIndex((item) => item.skillId === activeId);
  const active = items[index];
  const group = { group: "Updates" };
  const move = (by: 1 | -1) => {
    const next = index === -1 ? items[0] : (items[index + by] ?? active);
    if (!next) return;
    const link = document.querySelector<HTMLElement>(`[data-row-link="${CSS.escape(next.skillId)}"]`);
    link?.focus({ preventScroll: true });
    link?.scrollIntoView({ block: "nearest" });
  };
  useShortcut("j", "Next update", () => move(1), group);
  useShortcut("k", "Previous update", () => move(-1), group);
  useShortcut(
    "x",
    "Select the update",
    () => active && canTake(active) && onSelect(active.skillId, !selected.has(active.skillId)),
    group,
  );
}
