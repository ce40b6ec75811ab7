import type { Ctx } from "@/lib/db/context";
import { decodeCursor, encodeCursor } from "@/lib/db/cursor";
import type { CatalogPage, ListCatalogQuery } from "../schema";
import { findMatches } from "./find-matches";
import { listEntries } from "./list-entries";
import { firstAfter, Position, sortKey } from "./order-entries";
import { presentFacets } from "./present-facets";
import { presentItems } from "./present-items";
import { shownCatalog } from "./require-entry";
import { sourceStatus } from "./visible-sources";

/**
 * What the sources that are switched on offer, as their last good syncs found it: never asks GitHub. Identical copies are
 * one entry. Removed entries are listed only for who has them installed.
 */
export async function listCatalog(ctx: Ctx, query: ListCatalogQuery): Promise<CatalogPage> {
  const after = query.cursor === undefined ? null : decodeCursor(Position, query.cursor);
  const shown = await shownCatalog(ctx);
  const { snapshot, sources, installed } = shown;
  const matches =
    query.q === undefined ? null : await findMatches(ctx, snapshot, query.q, after?.revision ?? snapshot.revision);
  const { source, tag, license, tool, category, has } = query;
  const filters = Object.fromEntries(
    Object.entries({ source, tag, license, tool, category, has }).filter(
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
