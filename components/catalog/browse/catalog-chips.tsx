import { Button } from "@/components/ui/button";
import { FilterChip } from "@/components/ui/filter-chip";
import type { CatalogFacets } from "@/lib/catalog/schema";
import { facetLabels } from "./facets";
import type { CatalogView, FilterKey } from "./use-catalog-view";

type CatalogChipsProps = { view: CatalogView; facets: CatalogFacets | undefined; packName: string | undefined };

/** The filters in force, each removable. */
export function CatalogChips({ view, facets, packName }: CatalogChipsProps) {
  const chosen = Object.entries(view.chosen) as [FilterKey, string][];
  if (chosen.length === 0) return null;
  return (
    <div className="flex flex-wrap items-center gap-2">
      {chosen.map(([key, value]) => (
        <FilterChip
          key={key}
          label={facetLabels[key]}
          value={key === "pack" ? (packName ?? "…") : wordOf(facets, key, value)}
          onRemove={() => view.set({ [key]: null })}
        />
      ))}
      <Button size="sm" variant="ghost" onClick={view.clear}>
        Clear filters
      </Button>
    </div>
  );
}

function wordOf(facets: CatalogFacets | undefined, key: Exclude<FilterKey, "pack">, value: string): string {
  return facets?.[key].find((facet) => facet.value === value)?.label ?? value;
}
