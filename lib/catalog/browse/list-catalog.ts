import { LRUCache } from "lru-cache";
import { z } from "zod";
import type { Ctx } from "@/lib/db/context";
import { decodeCursor, encodeCursor } from "@/lib/db/cursor";
import type { CatalogContent, CatalogFacets, CatalogPage, CatalogSort, FacetValue, ListCatalogQuery } from "../schema";
import { presentItems } from "./present-items";
import { type Criteria, findMatches, type Matches, type Selection, selectEntries } from "./select-entries";
import { compare, FACETS, type FacetName, type IndexedEntry, type Snapshot } from "./snapshot";
import { spdxName } from "./spdx-name";
import { sourceStatus, type VisibleSource, visibleCatalog } from "./visible-catalog";

const Position = z.object({ key: z.number(), slug: z.string(), id: z.string(), revision: z.number() });

type Position = z.infer<typeof Position>;

/** Maximum values per facet; a selected value is always included. */
const MAX_VALUES = 100;

type Filters = Partial<Record<FacetName, string>> & { state?: string | undefined };

type EntryList = Selection & { ordered: number[] };

const CACHE_SIZE = 30;

const lists = new WeakMap<Snapshot, LRUCache<string, EntryList>>();

/**
 * Lists the entries of enabled sources, from their last successful syncs. Identical copies appear once; removed entries
 * only when the caller has them installed. Sends no request to GitHub.
 */
export async function listCatalog(ctx: Ctx, query: ListCatalogQuery): Promise<CatalogPage> {
  const after = query.cursor === undefined ? null : decodeCursor(Position, query.cursor);
  const shown = await visibleCatalog(ctx);
  const { snapshot, sources, installed } = shown;
  const matches =
    query.q === undefined ? null : await findMatches(ctx, snapshot, query.q, after?.revision ?? snapshot.revision);
  const { source, tag, tool, category, has } = query;
  const license = query.license && spdxName(query.license);
  const filters = Object.fromEntries(
    Object.entries({ source, class: query.class, tag, license, tool, category, has }).filter(
      ([, value]) => value !== undefined && value !== "",
    ),
  );
  const sort = query.sort ?? (matches ? "relevance" : "name");
  const list = listEntries(
    snapshot,
    {
      sources: new Set(sources.map(({ id }) => id)),
      ranks: matches?.ranks ?? null,
      filters,
      state: query.state,
      pack: query.pack,
      installed,
      q: query.q,
      matches,
    },
    sort,
  );
  const keyOf = sortKey(sort, matches?.ranks ?? null);
  const { ordered } = list;
  const from = after === null ? 0 : firstAfter(snapshot, ordered, keyOf, after);
  const page = ordered.slice(from, from + query.limit).flatMap((at) => snapshot.entries[at] ?? []);
  const last = page.at(-1);
  const position = last && {
    key: keyOf(last),
    slug: last.slug,
    id: last.id,
    revision: matches?.revision ?? snapshot.revision,
  };
  return {
    items: await presentItems(
      ctx,
      shown,
      page.map(({ id }) => id),
    ),
    nextCursor: position && from + query.limit < ordered.length ? encodeCursor(position) : null,
    total: list.total,
    facets: presentFacets(snapshot, list, sources, { ...filters, state: query.state }),
    sources: sources.map(sourceStatus),
  };
}

/** Selects and orders all matching entries. Cached per snapshot, so that pages of one list share the work. */
function listEntries(
  snapshot: Snapshot,
  criteria: Criteria & { q: string | undefined; matches: Matches | null },
  sort: CatalogSort,
): EntryList {
  const { q, matches, sources, installed, filters, state, pack } = criteria;
  const installs = [...installed].map(([id, { hasUpdate }]) => [id, hasUpdate]);
  const key = JSON.stringify([q, matches?.revision, [...sources], installs, filters, state, pack, sort]);
  const kept = lists.get(snapshot) ?? new LRUCache<string, EntryList>({ max: CACHE_SIZE });
  lists.set(snapshot, kept);
  const known = kept.get(key);
  if (known) return known;
  const selection = selectEntries(snapshot, criteria);
  const ordered = orderEntries(snapshot, selection.chosen, sort, sortKey(sort, matches?.ranks ?? null));
  const list = { ...selection, ordered };
  kept.set(key, list);
  return list;
}

function presentFacets(
  snapshot: Snapshot,
  { counts, states }: Selection,
  sources: VisibleSource[],
  filters: Filters,
): CatalogFacets {
  const labels = new Map(sources.map(({ id, label }) => [id, label]));
  const found = Object.fromEntries(FACETS.map((facet) => [facet, []])) as unknown as Record<FacetName, FacetValue[]>;
  for (const [index, { facet, value }] of snapshot.values.entries()) {
    const count = counts[index] ?? 0;
    if (count === 0 && filters[facet] !== value) continue;
    const label = facet === "source" ? (labels.get(value) ?? value) : facet === "has" ? contentLabel(value) : value;
    found[facet].push({ value, label, count });
  }
  for (const facet of FACETS) found[facet] = mostFrequent(found[facet], filters[facet]);
  const state = [
    { value: "new", label: "Not installed", count: states.new },
    { value: "installed", label: "Installed", count: states.installed },
    { value: "update", label: "Update available", count: states.update },
  ].filter(({ value, count }) => count > 0 || filters.state === value);
  return { ...found, state };
}

const CONTENT_LABELS: Record<CatalogContent, string> = {
  scripts: "Scripts",
  program: "A program to run",
  pipeline: "A pipeline",
  instructions: "Instructions only",
};

function contentLabel(value: string): string {
  return (CONTENT_LABELS as Record<string, string>)[value] ?? value;
}

function mostFrequent(values: FacetValue[], chosen: string | undefined): FacetValue[] {
  values.sort((a, b) => b.count - a.count || compare(a.label, b.label));
  const rest = values.slice(MAX_VALUES).filter(({ value }) => value === chosen);
  return [...values.slice(0, MAX_VALUES), ...rest];
}

function sortKey(sort: CatalogSort, ranks: ReadonlyMap<number, number> | null): (entry: IndexedEntry) => number {
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

/** An order that depends only on the entries is cached in the snapshot; search results are sorted each time. */
function orderEntries(
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

function sorted({ entries }: Snapshot, places: number[], keyOf: (entry: IndexedEntry) => number): number[] {
  const keys = new Map<number, number>();
  for (const at of places) {
    const entry = entries[at];
    if (entry) keys.set(at, keyOf(entry));
  }
  return places.sort((a, b) => (keys.get(a) ?? 0) - (keys.get(b) ?? 0) || a - b);
}

/** Index of the first entry after a cursor position; the entry at that position may be deleted. */
function firstAfter(
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
