"use client";

import { useCallback } from "react";
import { useAddressHash } from "./use-address-hash";

/** The line that the address names (`#L12`), and a way to name another; null names none. */
export function useLineHash(): [number | null, (line: number | null) => void] {
  const [hash, setHash] = useAddressHash();
  const set = useCallback((line: number | null) => setHash(line === null ? "" : `#L${line}`), [setHash]);
  const match = /^#L(\d{1,7})$/.exec(hash);
  return [match ? Number(match[1]) : null, set];
}
