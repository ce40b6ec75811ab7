import { useQuery } from "@tanstack/react-query";
import { Check } from "lucide-react";
import Link from "next/link";
import { type MouseEvent, useId, useState } from "react";
import { RevealedText } from "@/components/code/hidden-notice";
import { Skeleton } from "@/components/ui/skeleton";
import type { CatalogFacets, FacetValue } from "@/lib/catalog/schema";
import { catalogPacksQuery } from "@/lib/client/catalog";
import { type CatalogView, type FilterKey, facetKeys } from "./use-catalog-view";

type FacetGroupProps = { facet: FilterKey; label: string; values: readonly FacetValue[]; view: CatalogView };

const maxCollapsed = 6;

type FacetLinkProps = { facet: FilterKey; value: FacetValue; isChosen: boolean; view: CatalogView };

export const facetLabels: Record<FilterKey, string> = {
  state: "State",
  source: "Source",
  category: "Category",
  tool: "Asks for the tool",
  has: "Contains",
  class: "Class, as proposed",
  license: "Licence",
  tag: "Tag",
  pack: "Pack",
};

/** The filters, each value with the number of entries it would leave. */
export function Facets({ view, facets }: { view: CatalogView; facets: CatalogFacets | undefined }) {
  const packs = usePackValues(view.chosen.source);
  if (!facets) return <FacetSkeleton />;
  return (
    <div className="flex flex-col gap-5">
      {facetKeys.map((key) => (
        <FacetGroup key={key} facet={key} label={facetLabels[key]} values={facets[key]} view={view} />
      ))}
      <FacetGroup facet="pack" label={facetLabels.pack} values={packs} view={view} />
    </div>
  );
}

/** The page loads all packs, so it counts their members itself. */
function usePackValues(source: string | undefined): FacetValue[] {
  const packs = useQuery(catalogPacksQuery).data?.items ?? [];
  return packs
    .filter((pack) => source === undefined || pack.sourceId === source)
    .map((pack) => ({ value: pack.id, label: pack.name, count: pack.members.length }));
}

function FacetSkeleton() {
  return (
    <div role="status" aria-busy="true" className="flex flex-col gap-5">
      <span className="sr-only">Loading the filters</span>
      {[3, 4, 3].map((lines, group) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders never move
        <div key={group} className="flex flex-col gap-2.5">
          <Skeleton className="h-3 w-16" />
          {Array.from({ length: lines }, (_, line) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: placeholders never move
            <Skeleton key={line} className={line % 2 === 0 ? "w-4/5" : "w-3/5"} />
          ))}
        </div>
      ))}
    </div>
  );
}

/** One facet. Its values are links, so that they can be opened in a new tab. */
export function FacetGroup({ facet, label, values, view }: FacetGroupProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const chosen = view.chosen[facet];
  if (values.length === 0 && chosen === undefined) return null;
  const shown = isOpen ? values : collapse(values, chosen);
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="mb-1 px-2 font-medium text-muted-foreground text-xs">
        {label}
      </h2>
      <ul>
        {shown.map((value) => (
          <li key={value.value}>
            <FacetLink facet={facet} value={value} isChosen={value.value === chosen} view={view} />
          </li>
        ))}
      </ul>
      {values.length > maxCollapsed ? (
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="ml-8 h-6 rounded-sm text-muted-foreground text-xs hover:text-foreground hover:underline"
        >
          {isOpen ? "Show fewer" : `${values.length - shown.length} more`}
        </button>
      ) : null}
    </section>
  );
}

function FacetLink({ facet, value: { value, label, count }, isChosen, view }: FacetLinkProps) {
  const choose = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    view.set({ [facet]: isChosen ? null : value });
  };
  return (
    <Link
      href={view.hrefWith(facet, value)}
      prefetch={false}
      aria-current={isChosen ? "true" : undefined}
      onClick={choose}
      className="group flex min-h-7 items-center gap-2 rounded-md px-2 text-13 hover:bg-accent focus-visible:-outline-offset-2 aria-[current=true]:font-medium"
    >
      <span
        aria-hidden
        className="inline-flex size-4 shrink-0 items-center justify-center rounded-sm border border-input bg-background text-primary-foreground group-aria-[current=true]:border-primary group-aria-[current=true]:bg-primary"
      >
        {isChosen ? <Check strokeWidth={3} className="size-3" /> : null}
      </span>
      <span className="min-w-0 flex-1 truncate" title={label}>
        <RevealedText text={label} />
      </span>{" "}
      <span className="text-muted-foreground text-xs tabular-nums">
        {count.toLocaleString("en-GB")}
        <span className="sr-only"> entries</span>
      </span>
    </Link>
  );
}

/** The first values and the chosen one, even when the other filters leave no entry with it. */
function collapse(values: readonly FacetValue[], chosen: string | undefined): FacetValue[] {
  const first = values.slice(0, maxCollapsed);
  if (chosen === undefined || first.some(({ value }) => value === chosen)) return first;
  const rest = values.find(({ value }) => value === chosen);
  return [...first, rest ?? { value: chosen, label: chosen, count: 0 }];
}
