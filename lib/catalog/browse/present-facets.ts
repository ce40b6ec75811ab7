import type { CatalogFacets, FacetValue } from "../schema";
import type { Selection } from "./select-entries";
import { compare, FACETS, type FacetName, type Snapshot } from "./snapshot";
import type { VisibleSource } from "./visible-sources";

/** Values of a facet that are sent; the one that is chosen is always among them. */
const MAX_VALUES = 100;

type Filters = Partial<Record<FacetName, string>> & { state?: string | undefined };

export function presentFacets(
  snapshot: Snapshot,
  { counts, states }: Selection,
  sources: VisibleSource[],
  filters: Filters,
): CatalogFacets {
  const labels = new Map(sources.map(({ id, label }) => [id, label]));
  const found: Record<FacetName, FacetValue[]> = { source: [], tag: [], license: [], tool: [], category: [], has: [] };
  for (const [index, { facet, value }] of snapshot.values.entries()) {
    const count = counts[index] ?? 0;
    if (count === 0 && filters[facet] !== value) continue;
    const label = facet === "source" ? (labels.get(value) ?? value) : facet === "has" ? "Scripts" : value;
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

function mostFrequent(values: FacetValue[], chosen: string | undefined): FacetValue[] {
  values.sort((a, b) => b.count - a.count || compare(a.label, b.label));
  const rest = values.slice(MAX_VALUES).filter(({ value }) => value === chosen);
  return [...values.slice(0, MAX_VALUES), ...rest];
}
