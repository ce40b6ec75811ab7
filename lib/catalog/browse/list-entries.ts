import type { CatalogSort } from "../schema";
import type { Matches } from "./find-matches";
import { orderEntries, sortKey } from "./order-entries";
import { type Criteria, type Selection, selectEntries } from "./select-entries";
import type { Snapshot } from "./snapshot";

/** A whole list in its order, without its entries' texts: places in the snapshot. */
export type EntryList = Selection & { ordered: number[] };

const KEPT = 30;
/** Gone with its snapshot. */
const lists = new WeakMap<Snapshot, Map<string, EntryList>>();

/**
 * Everything that meets the criteria, in order. Kept with the snapshot, so that the pages of a list and a browse that many
 * make alike are worked out once for each revision of the catalog.
 */
export function listEntries(
  snapshot: Snapshot,
  criteria: Criteria & { q: string | undefined; matches: Matches | null },
  sort: CatalogSort,
): EntryList {
  const { q, matches, sources, installed, filters, state, pack } = criteria;
  const installs = [...installed].map(([id, { hasUpdate }]) => [id, hasUpdate]);
  const key = JSON.stringify([q, matches?.revision, [...sources], installs, filters, state, pack, sort]);
  const kept = lists.get(snapshot) ?? new Map<string, EntryList>();
  lists.set(snapshot, kept);
  const known = kept.get(key);
  if (known) return known;
  const selection = selectEntries(snapshot, criteria);
  const ordered = orderEntries(snapshot, selection.chosen, sort, sortKey(sort, matches?.ranks ?? null));
  const list = { ...selection, ordered };
  kept.set(key, list);
  const [oldest] = kept.keys();
  if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
  return list;
}
