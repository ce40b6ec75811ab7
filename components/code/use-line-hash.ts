"use client";

import { useCallback, useSyncExternalStore } from "react";

const changed = "skillgate:line-hash";

function subscribe(listener: () => void): () => void {
  window.addEventListener("hashchange", listener);
  window.addEventListener(changed, listener);
  return () => {
    window.removeEventListener("hashchange", listener);
    window.removeEventListener(changed, listener);
  };
}

/** The line that the address names (`#L12`), and a way to name another; null names none. */
export function useLineHash(): [number | null, (line: number | null) => void] {
  const hash = useSyncExternalStore(
    subscribe,
    () => window.location.hash,
    () => "",
  );
  const set = useCallback((line: number | null) => {
    const { pathname, search } = window.location;
    window.history.replaceState(null, "", `${pathname}${search}${line === null ? "" : `#L${line}`}`);
    window.dispatchEvent(new Event(changed));
  }, []);
  const match = /^#L(\d{1,7})$/.exec(hash);
  return [match ? Number(match[1]) : null, set];
}
