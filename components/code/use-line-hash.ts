"use client";
import { useCallback, useSyncExternalStore } from "react";

/** The line that the address names (`#L12`), and a way to name another; null names none. */
export function useLineHash(): [number | null, (line: number | null) => void] {
  const [hash, setHash] = useAddressHash();
  const set = useCallback((line: number | null) => setHash(line === null ? "" : `#L${line}`), [setHash]);
  const match = /^#L(\d{1,7})$/.exec(hash);
  return [match ? Number(match[1]) : null, set];
}

// Changing the address without a navigation tells nobody.
const changed = "skillgate:hash";

function subscribe(listener: () => void): () => void {
  window.addEventListener("hashchange", listener);
  window.addEventListener(changed, listener);
  return () => {
    window.removeEventListener("hashchange", listener);
    window.removeEventListener(changed, listener);
  };
}

/** What follows the `#` of the address, with it, and a way to put something else there; empty for nothing. */
export function useAddressHash(): [string, (hash: string) => void] {
  const hash = useSyncExternalStore(
    subscribe,
    () => window.location.hash,
    () => "",
  );
  const set = useCallback((next: string) => {
    const { pathname, search } = window.location;
    window.history.replaceState(null, "", `${pathname}${search}${next}`);
    window.dispatchEvent(new Event(changed));
  }, []);
  return [hash, set];
}
