"use client";

import { useCallback, useMemo } from "react";
import { useAddressHash } from "@/components/code/use-address-hash";

/** Lines of a log, both ends included, counted from 1. */
export type LineRange = { from: number; to: number };

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
  const [hash, setHash] = useAddressHash();
  const set = useCallback((range: LineRange | null) => setHash(range === null ? "" : writeLineRange(range)), [setHash]);
  return [useMemo(() => readLineRange(hash), [hash]), set];
}
