"use client";

import { useSearchParams } from "next/navigation";
import { useCallback } from "react";

export type UrlPatch = Record<string, string | readonly string[] | null | undefined>;

type SetUrlParams = (patch: UrlPatch, options?: { push?: boolean }) => void;

/**
 * The query of the address as state. Writing replaces the current history entry without a request; empty values are
 * removed from the address.
 */
export function useUrlParams(): [URLSearchParams, SetUrlParams] {
  const current = useSearchParams();
  const set = useCallback<SetUrlParams>((patch, options = {}) => {
    // From the window, not the hook, so that two writes in one event both count.
    const next = new URLSearchParams(window.location.search);
    for (const [key, value] of Object.entries(patch)) {
      next.delete(key);
      for (const item of typeof value === "string" ? [value] : (value ?? [])) {
        if (item !== "") next.append(key, item);
      }
    }
    const query = next.toString();
    const url = `${window.location.pathname}${query ? `?${query}` : ""}${window.location.hash}`;
    if (options.push) window.history.pushState(null, "", url);
    else window.history.replaceState(null, "", url);
  }, []);
  return [new URLSearchParams(current), set];
}

/** One value of the query. The fallback is not written to the address. */
export function useUrlState(key: string, fallback = ""): [string, (value: string) => void] {
  const [params, setParams] = useUrlParams();
  const set = useCallback(
    (value: string) => setParams({ [key]: value === fallback ? null : value }),
    [key, fallback, setParams],
  );
  return [params.get(key) ?? fallback, set];
}
