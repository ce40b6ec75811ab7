import { LayoutGrid, ListFilter, Rows3 } from "lucide-react";
import { DebouncedSearch } from "@/components/lists/debounced-search";
import { Button } from "@/components/ui/button";
import { Drawer, DrawerClose, DrawerContent, DrawerTrigger } from "@/components/ui/drawer";
import { SegmentedControl } from "@/components/ui/segmented-control";
import { Select } from "@/components/ui/select";
import type { CatalogFacets, CatalogSort } from "@/lib/catalog/schema";
import { countOf } from "../../skills/skill-labels";
import { Facets } from "./facets";
import { type CatalogView, catalogSorts } from "./use-catalog-view";

type CatalogToolbarProps = { view: CatalogView; facets: CatalogFacets | undefined; total: number | undefined };

const sortLabels: Record<CatalogSort, string> = {
  relevance: "Best match",
  name: "Name",
  updated: "Recently changed",
  added: "Recently added",
  size: "Largest",
};

const layouts = [
  { value: "cards", label: "Cards", icon: LayoutGrid },
  { value: "list", label: "Dense list", icon: Rows3 },
] as const;

export function CatalogToolbar({ view, facets, total }: CatalogToolbarProps) {
  const count = Object.keys(view.chosen).length;
  const sorts = catalogSorts.filter((sort) => sort !== "relevance" || view.q !== "");
  return (
    <div className="-my-2 top-(--topbar-height) z-20 flex flex-wrap items-center gap-2 bg-background py-2 md:sticky">
      <DebouncedSearch
        label="Search the catalog"
        value={view.q}
        onChange={(q) => view.set({ q })}
        className="md:w-auto md:min-w-36 md:max-w-80 md:flex-1"
      />
      <Drawer>
        <DrawerTrigger asChild>
          <Button aria-label={count > 0 ? `Filter, ${count} active` : "Filter"} className="lg:hidden">
            <ListFilter aria-hidden />
            <span className="max-sm:hidden">Filter</span>
          </Button>
        </DrawerTrigger>
        <DrawerContent
          title="Filter the catalog"
          footer={
            <DrawerClose asChild>
              <Button variant="primary">Show {countOf(total ?? 0, "skill")}</Button>
            </DrawerClose>
          }
        >
          <Facets view={view} facets={facets} />
        </DrawerContent>
      </Drawer>
      <span role="status" className="mr-auto whitespace-nowrap px-1 text-13 text-muted-foreground tabular-nums">
        {total === undefined ? "" : countOf(total, "skill")}
      </span>
      <span className="w-32 md:w-36">
        <Select
          aria-label="Sort by"
          value={sorts.includes(view.sort) ? view.sort : "name"}
          onChange={({ target }) => view.set({ sort: target.value === defaultSort(view.q) ? null : target.value })}
          options={sorts.map((value) => ({ value, label: sortLabels[value] }))}
        />
      </span>
      <SegmentedControl
        label="View"
        iconsOnly
        value={view.layout}
        onValueChange={(layout) => view.set({ view: layout === "cards" ? null : layout })}
        options={layouts}
      />
    </div>
  );
}

function defaultSort(q: string): CatalogSort {
  return q === "" ? "name" : "relevance";
}
