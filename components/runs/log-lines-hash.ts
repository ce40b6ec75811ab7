"use client";

import { useCallback, useMemo, useSyncExternalStore } from "react";

/** Lines of a log, both ends included, counted from 1. */
export type LineRange = { from: number; to: number };

const changed = "skillgate:log-lines";

function subscribe(listener: () => void): () => void {
  window.addEventListener("hashchange", listener);
  window.addEventListener(changed, listener);
  return () => {
    window.removeEventListener("hashchange", listener);
    window.removeEventListener(changed, listener);
  };
}

/** `#L12` or `#L12-L20`, in either order; null for anything else. */
export function readLineRange(hash: string): LineRange | null {
  const match = /^#L([1-9]\d{0,6})(?:-L?([1-9]\d{0,6}))?$/.exec(hash);
  if (!match) return null;
  const one = Number(match[1]);
  const other = Number(match[2] ?? match[1]);
  return { from: Math.min(one, other), to: Math.max(one, other) };
}

export function writeLineRange({ from, to }: LineRange): string {
  return from === to ? `#L${from}` : `#L${from}-L${to}`;
}

/** The lines that the address names, and a way to name others; null names none. */
export function useLineRange(): [LineRange | null, (range: LineRange | null) => void] {
  const hash = useSyncExternalStore(
    subscribe,
    () => window.location.hash,
    () => "",
  );
  const set = useCallback((range: LineRange | null) => {
    const { pathname, search } = window.location;
    window.history.replaceState(null, "", `${pathname}${search}${range === null ? "" : writeLineRange(range)}`);
    window.dispatchEvent(new Event(changed));
  }, []);
  return [useMemo(() => readLineRange(hash), [hash]), set];
}
