"use client";

import { useEffect, useRef, useSyncExternalStore } from "react";
import { readStored } from "@/components/state/use-stored-value";
import { createShortcutRegistry, type Shortcut } from "./shortcut-registry";

export const singleKeysStorageKey = "skillgate.single-keys";

const registry = createShortcutRegistry({ areSingleKeysOn: () => readStored(singleKeysStorageKey) !== "off" });

type UseShortcutOptions = { group?: string; enabled?: boolean; inDialogs?: boolean };

/**
 * Registers a shortcut while the component is on the screen, and lists it in the help dialog. It stays silent while
 * somebody types, and inside dialogs and menus unless `inDialogs`.
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

/** Listens to the keyboard; once, in the shell. */
export function useShortcutListener(): void {
  useEffect(() => {
    document.addEventListener("keydown", registry.handle);
    return () => document.removeEventListener("keydown", registry.handle);
  }, []);
}

const none: readonly Shortcut[] = [];

/** What is registered now. */
export function useShortcuts(): readonly Shortcut[] {
  return useSyncExternalStore(registry.subscribe, registry.list, () => none);
}
