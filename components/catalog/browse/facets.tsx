"use client";

import { useQuery } from "@tanstack/react-query";
import { Skeleton } from "@/components/ui/skeleton";
import type { CatalogFacets, FacetValue } from "@/lib/catalog/schema";
import { catalogPacksQuery } from "@/lib/client/catalog";
import { FacetGroup } from "./facet-group";
import { type CatalogView, type FilterKey, facetKeys } from "./use-catalog-view";

export const facetLabels: Record<FilterKey, string> = {
  state: "State",
  source: "Source",
  category: "Category",
  tool: "Asks for the tool",
  has: "Brings",
  license: "Licence",
  tag: "Tag",
  pack: "Pack",
};

type FacetsProps = { view: CatalogView; facets: CatalogFacets | undefined };

/** What the list can be narrowed to, each with how many entries it would leave. */
export function Facets({ view, facets }: FacetsProps) {
  const packs = usePackValues(view.chosen.source);
  if (!facets) return <FacetShapes />;
  return (
    <div className="flex flex-col gap-5">
      {facetKeys.map((key) => (
        <FacetGroup key={key} facet={key} label={facetLabels[key]} values={facets[key]} view={view} />
      ))}
      <FacetGroup facet="pack" label={facetLabels.pack} values={packs} view={view} />
    </div>
  );
}

/** Packs are few and known whole; their counts are those of their members. */
function usePackValues(source: string | undefined): FacetValue[] {
  const packs = useQuery(catalogPacksQuery).data?.items ?? [];
  return packs
    .filter((pack) => source === undefined || pack.sourceId === source)
    .map((pack) => ({ value: pack.id, label: pack.name, count: pack.members.length }));
}

function FacetShapes() {
  return (
    <div role="status" aria-busy="true" className="flex flex-col gap-5">
      <span className="sr-only">Loading the filters</span>
      {[3, 4, 3].map((lines, group) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: shapes without identity
        <div key={group} className="flex flex-col gap-2.5">
          <Skeleton className="h-3 w-16" />
          {Array.from({ length: lines }, (_, line) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: shapes without identity
            <Skeleton key={line} className={line % 2 === 0 ? "w-4/5" : "w-3/5"} />
          ))}
        </div>
      ))}
    </div>
  );
}
