"use client";

import type { RefObject } from "react";
import { useShortcut } from "@/components/shell/use-shortcut";
import type { CatalogItem } from "@/lib/catalog/schema";
import { canInstall } from "../install/can-install";
import type { Install } from "../install/use-install";
import type { CatalogView } from "./use-catalog-view";
import type { EntryFocus } from "./virtual-entries";

type EntryKeys = {
  items: readonly CatalogItem[];
  activeId: string | null;
  list: RefObject<EntryFocus | null>;
  view: CatalogView;
  install: Install;
};

/** `j k` move from name to name, and the preview goes along; Enter opens, Esc closes, `i` installs. */
export function useEntryKeys({ items, activeId, list, view, install }: EntryKeys): void {
  const { openId, set } = view;
  const index = items.findIndex(({ id }) => id === (activeId ?? openId));
  const active = items[index];
  const group = { group: "Catalog" };

  const move = (by: 1 | -1) => {
    const next = index === -1 ? 0 : Math.max(0, Math.min(items.length - 1, index + by));
    list.current?.focus(next);
    const item = items[next];
    if (openId !== null && item) set({ open: item.id });
  };
  useShortcut("j", "Next skill", () => move(1), { ...group, enabled: items.length > 0 });
  useShortcut("k", "Previous skill", () => move(-1), { ...group, enabled: items.length > 0 });
  useShortcut("escape", "Close the preview", () => set({ open: null }), { ...group, enabled: openId !== null });
  useShortcut(
    "i",
    "Install the skill",
    () => {
      if (active && canInstall(active)) install.start({ id: active.id, name: active.name }, "me");
    },
    { ...group, enabled: active !== undefined },
  );
}
