"use client";

import { useEffect, useRef, useSyncExternalStore } from "react";
import { readStored } from "@/components/state/use-stored-value";

export type Shortcut = {
  /** `j`, `shift+x`, `mod+k` (⌘ on a Mac, else Ctrl) or a sequence: `g s`. */
  keys: string;
  description: string;
  group: string;
  /** Whether it also works while a dialog, menu or popover has the focus. */
  inDialogs: boolean;
  run: (event: KeyboardEvent) => void;
};

type RegistryOptions = { isMac?: () => boolean; areSingleKeysOn?: () => boolean };

const sequenceMs = 1000;

const typingTypes = new Set([
  "text",
  "search",
  "email",
  "password",
  "url",
  "tel",
  "number",
  "date",
  "time",
  "datetime-local",
  "month",
  "week",
  "color",
]);

export const singleKeysStorageKey = "skillgate.single-keys";

const registry = createShortcutRegistry({ areSingleKeysOn: () => readStored(singleKeysStorageKey) !== "off" });

type UseShortcutOptions = { group?: string; enabled?: boolean; inDialogs?: boolean };

/**
 * Registers a shortcut while the component is mounted, and lists it in the help dialog. It does not run while the person
 * types, nor inside dialogs and menus unless `inDialogs`.
 */
export function useShortcut(
  keys: string,
  description: string,
  run: (event: KeyboardEvent) => void,
  { group = "This page", enabled = true, inDialogs = false }: UseShortcutOptions = {},
): void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => {
    if (!enabled) return;
    return registry.add({ keys, description, group, inDialogs, run: (event) => latest.current(event) });
  }, [keys, description, group, inDialogs, enabled]);
}

/** Listens to the keyboard; the shell calls it once. */
export function useShortcutListener(): void {
  useEffect(() => {
    document.addEventListener("keydown", registry.handle);
    return () => document.removeEventListener("keydown", registry.handle);
  }, []);
}

const none: readonly Shortcut[] = [];

export function useShortcuts(): readonly Shortcut[] {
  return useSyncExternalStore(registry.subscribe, registry.list, () => none);
}

/** Shortcuts of the mounted components; the one registered last wins. */
export function createShortcutRegistry({
  isMac = () => /Mac|iP(hone|ad|od)/.test(navigator.platform),
  areSingleKeysOn = () => true,
}: RegistryOptions = {}) {
  let shortcuts: readonly Shortcut[] = [];
  let prefix = "";
  let prefixAt = 0;
  const listeners = new Set<() => void>();

  const replace = (next: readonly Shortcut[]) => {
    shortcuts = next;
    for (const listener of listeners) listener();
  };

  return {
    add(shortcut: Shortcut): () => void {
      replace([...shortcuts, shortcut]);
      return () => replace(shortcuts.filter((other) => other !== shortcut));
    },
    list: () => shortcuts,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    handle(event: KeyboardEvent): void {
      const key = keyOf(event, isMac());
      if (key === null || event.defaultPrevented || event.isComposing) return;
      if (!key.startsWith("mod+") && (isTyping(event.target) || !areSingleKeysOn())) return;

      const inDialog = isInDialog(event.target);
      const eligible = shortcuts.filter((shortcut) => shortcut.inDialogs || !inDialog);
      const started = prefix !== "" && event.timeStamp - prefixAt < sequenceMs ? `${prefix} ${key}` : key;
      prefix = "";
      // If a sequence matches nothing, its last key may match alone.
      for (const pressed of started === key ? [key] : [started, key]) {
        const match = eligible.findLast((shortcut) => shortcut.keys === pressed);
        if (match) {
          event.preventDefault();
          match.run(event);
          return;
        }
        if (eligible.some((shortcut) => shortcut.keys.startsWith(`${pressed} `))) {
          prefix = pressed;
          prefixAt = event.timeStamp;
          return;
        }
      }
    },
  };
}

/** The key press in shortcut notation; null for modifiers and combinations of the system. */
function keyOf(event: KeyboardEvent, isMac: boolean): string | null {
  if (["Control", "Meta", "Alt", "Shift"].includes(event.key)) return null;
  const mod = isMac ? event.metaKey : event.ctrlKey;
  const other = isMac ? event.ctrlKey : event.metaKey;
  if (other || event.altKey) return null;
  const key = event.key === " " ? "space" : event.key.toLowerCase();
  // `?` and the like need shift on some layouts and not on others.
  const shift = event.shiftKey && (key.length > 1 || key !== event.key) ? "shift+" : "";
  return `${mod ? "mod+" : ""}${shift}${key}`;
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return typingTypes.has(target.type);
  return target.closest("textarea, select, [contenteditable]:not([contenteditable=false]), [role=textbox]") !== null;
}

function isInDialog(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("[role=dialog], [role=alertdialog], [role=menu]") !== null;
}
