import { z } from "zod";
import type { CatalogSort } from "../schema";
import { compare, type IndexedEntry, type Snapshot } from "./snapshot";

/** Where a page ended: the value sorted by, then slug and id, so that no two entries stand at the same place. */
export const Position = z.object({ key: z.number(), slug: z.string(), id: z.string(), revision: z.number() });
export type Position = z.infer<typeof Position>;

/** What entries are sorted by, lowest first; equal ones by slug and id. */
export function sortKey(sort: CatalogSort, ranks: ReadonlyMap<number, number> | null): (entry: IndexedEntry) => number {
  switch (sort) {
    case "relevance":
      return ({ doc }) => ranks?.get(doc) ?? 0;
    case "updated":
      return ({ changedAt }) => -changedAt;
    case "added":
      return ({ firstSeenAt }) => -firstSeenAt;
    case "size":
      return ({ bytes }) => -bytes;
    case "name":
      return () => 0;
  }
}

/**
 * The chosen entries in order, by their place in the snapshot. An order that depends on the entries alone is worked out once
 * for each snapshot; what a search found is sorted.
 */
export function orderEntries(
  snapshot: Snapshot,
  chosen: Uint8Array,
  sort: CatalogSort,
  keyOf: (entry: IndexedEntry) => number,
): number[] {
  const ordered: number[] = [];
  if (sort === "relevance" || sort === "name") {
    for (const [at, isChosen] of chosen.entries()) if (isChosen === 1) ordered.push(at);
    return sort === "name" ? ordered : sorted(snapshot, ordered, keyOf);
  }
  const whole = snapshot.orders.get(sort) ?? sorted(snapshot, [...snapshot.entries.keys()], keyOf);
  snapshot.orders.set(sort, whole);
  for (const at of whole) if (chosen[at] === 1) ordered.push(at);
  return ordered;
}

/** By the key; equal ones stay by slug and id. */
function sorted({ entries }: Snapshot, places: number[], keyOf: (entry: IndexedEntry) => number): number[] {
  const keys = new Map<number, number>();
  for (const at of places) {
    const entry = entries[at];
    if (entry) keys.set(at, keyOf(entry));
  }
  return places.sort((a, b) => (keys.get(a) ?? 0) - (keys.get(b) ?? 0) || a - b);
}

/** Index of the first entry behind a position, which need not exist any more. */
export function firstAfter(
  { entries }: Snapshot,
  ordered: number[],
  keyOf: (entry: IndexedEntry) => number,
  position: Position,
): number {
  let [low, high] = [0, ordered.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const entry = entries[ordered[middle] ?? -1];
    if (entry && comparePlace(keyOf(entry), entry, position) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function comparePlace(key: number, entry: IndexedEntry, position: Position): number {
  return key - position.key || compare(entry.slug, position.slug) || compare(entry.id, position.id);
}
