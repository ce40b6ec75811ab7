"use client";

import { useRouter } from "next/navigation";
import type { NavigationItem } from "./navigation";
import { useShellActions } from "./shell-actions";
import { useShortcut, useShortcutListener } from "./use-shortcut";
import { useSidebar } from "./use-sidebar";

/** The shortcuts that work on each page. Renders nothing. */
export function GlobalShortcuts({ items }: { items: readonly NavigationItem[] }) {
  const { openPalette, openHelp } = useShellActions();
  const { toggle } = useSidebar();
  useShortcutListener();
  useShortcut("mod+k", "Search or go to", openPalette, { group: "Everywhere" });
  useShortcut("/", "Search on this page", () => focusPageSearch(openPalette), { group: "Everywhere" });
  useShortcut("[", "Narrow or widen the sidebar", toggle, { group: "Everywhere" });
  useShortcut("?", "Show keyboard shortcuts", openHelp, { group: "Everywhere" });
  return items.map((item) =>
    item.shortcut ? <GoTo key={item.href} keys={item.shortcut} label={item.label} href={item.href} /> : null,
  );
}

function GoTo({ keys, label, href }: { keys: string; label: string; href: string }) {
  const router = useRouter();
  useShortcut(keys, label, () => router.push(href), { group: "Go to" });
  return null;
}

function focusPageSearch(openPalette: () => void): void {
  const input = document.querySelector<HTMLInputElement>("[data-page-search]");
  if (!input) openPalette();
  input?.focus();
  input?.select();
}
