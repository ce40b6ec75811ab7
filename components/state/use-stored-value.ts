"use client";

import { useCallback, useSyncExternalStore } from "react";

type Area = "local" | "session";

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
}

/** Reads a value from browser storage; null when it is absent or storage is forbidden. */
export function readStored(key: string, area: Area = "local"): string | null {
  try {
    return storageOf(area).getItem(key);
  } catch {
    return null; // Private modes and policies may forbid storage.
  }
}

export function writeStored(key: string, value: string | null, area: Area = "local"): void {
  try {
    if (value === null) storageOf(area).removeItem(key);
    else storageOf(area).setItem(key, value);
  } catch {
    // Storage is forbidden: the preference does not outlast the page.
  }
  for (const listener of listeners) listener();
}

/** A preference in browser storage. The fallback applies on the server and until hydration. */
export function useStoredValue<T extends string>(
  key: string,
  fallback: T,
  area: Area = "local",
): [T, (value: T) => void] {
  const value = useSyncExternalStore(
    subscribe,
    () => readStored(key, area) ?? fallback,
    () => fallback,
  );
  const set = useCallback((next: T) => writeStored(key, next, area), [key, area]);
  return [value as T, set];
}

function storageOf(area: Area): Storage {
  return area === "local" ? window.localStorage : window.sessionStorage;
}
