import { useMemo } from "react";
import { type UrlPatch, useUrlParams } from "@/components/state/use-url-params";
import type { CatalogSort } from "@/lib/catalog/schema";
import type { CatalogFilters } from "@/lib/client/catalog";

export const facetKeys = ["state", "source", "has", "class", "license", "category", "tool", "tag"] as const;
type FacetKey = (typeof facetKeys)[number];
export type FilterKey = FacetKey | "pack";

export const catalogSorts: readonly CatalogSort[] = ["relevance", "name", "updated", "added", "size"];

const filterKeys: readonly FilterKey[] = [...facetKeys, "pack"];

export type CatalogView = {
  q: string;
  chosen: Partial<Record<FilterKey, string>>;
  sort: CatalogSort;
  filters: CatalogFilters;
  isFiltered: boolean;
  layout: "cards" | "list";
  openId: string | null;
  set: (patch: UrlPatch) => void;
  clear: () => void;
  hrefWith: (key: FilterKey, value: string) => string;
};

/** Search, filters, sort order and layout, kept in the address. */
export function useCatalogView(): CatalogView {
  const [params, set] = useUrlParams();
  const query = params.toString();
  return useMemo(() => {
    const current = new URLSearchParams(query);
    const chosen = readChosen(current);
    const q = current.get("q") ?? "";
    const sort = catalogSorts.find((known) => known === current.get("sort"));
    return {
      q,
      chosen,
      sort: sort ?? (q === "" ? "name" : "relevance"),
      filters: { ...(q ? { q } : {}), ...(chosen as CatalogFilters), ...(sort ? { sort } : {}) },
      isFiltered: q !== "" || Object.keys(chosen).length > 0,
      layout: current.get("view") === "list" ? "list" : "cards",
      openId: current.get("open"),
      set,
      clear: () => set({ q: null, ...Object.fromEntries(filterKeys.map((key) => [key, null])) }),
      hrefWith: (key, value) => {
        const next = new URLSearchParams(query);
        if (chosen[key] === value) next.delete(key);
        else next.set(key, value);
        return `/catalog?${next}`;
      },
    };
  }, [query, set]);
}

/** Values that the API knows; of other filters it takes any text up to a length. */
const KNOWN: Partial<Record<FilterKey, readonly string[]>> = {
  has: ["scripts", "program", "pipeline", "instructions"],
  class: ["safe", "mutating", "dangerous"],
  state: ["installed", "update", "new"],
};
const MAX_VALUE_CHARS: Partial<Record<FilterKey, number>> = { license: 200, tool: 200 };

/** Ignores values that the API would refuse. */
function readChosen(params: URLSearchParams): Partial<Record<FilterKey, string>> {
  const chosen: Partial<Record<FilterKey, string>> = {};
  for (const key of filterKeys) {
    const value = params.get(key);
    if (value && value.length <= (MAX_VALUE_CHARS[key] ?? 100) && KNOWN[key]?.includes(value) !== false)
      chosen[key] = value;
  }
  return chosen;
}
