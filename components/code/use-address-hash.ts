"use client";

import { useCallback, useSyncExternalStore } from "react";

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
