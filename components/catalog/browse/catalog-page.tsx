"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { LayoutGrid, ListFilter, Rows3 } from "lucide-react";
import { type RefObject, useMemo, useRef, useState } from "react";
import { canInstall } from "@/components/catalog/catalog-labels";
import { CatalogTabs } from "@/components/catalog/catalog-tabs";
import { type Install, useInstall } from "@/components/catalog/install/use-install";
import { RevealedText } from "@/components/code/hidden-notice";
import { DebouncedSearch } from "@/components/lists/debounced-search";
import { useShortcut } from "@/components/shell/use-shortcut";
import { countOf } from "@/components/skills/skill-labels";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { deferred, deferredUntil } from "@/components/ui/deferred/deferred";
import { Drawer, DrawerClose, DrawerContent, DrawerTrigger } from "@/components/ui/drawer";
import { FilterChip } from "@/components/ui/filter-chip";
import { Popover, PopoverContent, PopoverTrigger } from "@/components/ui/popover";
import { RelativeTime } from "@/components/ui/relative-time";
import { SegmentedControl } from "@/components/ui/segmented-control";
import { Select } from "@/components/ui/select";
import type { CatalogFacets, CatalogItem, CatalogSort, CatalogSourceStatus } from "@/lib/catalog/schema";
import { catalogPacksQuery, catalogQuery } from "@/lib/client/catalog";
import { CatalogResults } from "./catalog-results";
import { Facets, facetLabels } from "./facets";
import { type CatalogView, catalogSorts, type FilterKey, useCatalogView } from "./use-catalog-view";
import type { EntryFocus } from "./virtual-entries";

const EntryPreview = deferred(async () => (await import("./entry-preview")).EntryPreview);

const InstallDialog = deferredUntil(
  async () => (await import("../install/install-dialog")).InstallDialog,
  ({ install }) => install.target !== null,
);

const PackBanner = deferredUntil(
  async () => (await import("./pack-banner")).PackBanner,
  ({ pack }) => pack !== undefined,
);

const FailedSources = deferredUntil(
  async () => (await import("./no-sources")).FailedSources,
  ({ sources }) => sources.some(({ error }) => error !== null),
);

export function CatalogPage() {
  const view = useCatalogView();
  const install = useInstall();
  const list = useRef<EntryFocus>(null);
  const [activeId, setActiveId] = useState<string | null>(null);

  const query = useInfiniteQuery(catalogQuery(view.filters));
  const items = useMemo(() => query.data?.pages.flatMap((page) => page.items) ?? [], [query.data]);
  const first = query.data?.pages[0];
  const packs = useQuery(catalogPacksQuery).data?.items;
  const pack = packs?.find(({ id }) => id === view.chosen.pack);
  useEntryKeys({ items, activeId, list, view, install });
  const { openId } = view;
  const isBare = first !== undefined && items.length === 0 && !view.isFiltered;

  return (
    <div className="flex flex-1 items-start">
      <div className="mx-auto flex w-full min-w-0 max-w-[100rem] flex-1 flex-col gap-4 px-4 py-5 md:px-6">
        <header className="flex items-center justify-between gap-x-6 gap-y-1 max-md:flex-wrap">
          <h1>Catalog</h1>
          <SourceFreshness sources={first?.sources ?? []} />
        </header>
        <CatalogTabs />
        <FailedSources sources={isBare ? [] : (first?.sources ?? [])} />
        <div className="flex items-start gap-6">
          {isBare ? null : (
            <nav
              aria-label="Filters"
              className="-ml-2 sticky top-[calc(var(--topbar-height)+1rem)] max-h-[calc(100dvh-var(--topbar-height)-2rem)] w-48 shrink-0 overflow-y-auto pb-4 max-lg:hidden"
            >
              <Facets view={view} facets={first?.facets} />
            </nav>
          )}
          <div className="flex min-w-0 flex-1 flex-col gap-3">
            {isBare ? null : <CatalogToolbar view={view} facets={first?.facets} total={first?.total} />}
            <CatalogChips view={view} facets={first?.facets} packName={pack?.name} />
            <PackBanner pack={pack} install={install} />
            <CatalogResults query={query} items={items} view={view} list={list} onActivate={setActiveId} />
          </div>
        </div>
      </div>
      {openId === null ? null : (
        <EntryPreview
          id={openId}
          item={items.find(({ id }) => id === openId)}
          install={install}
          onClose={() => view.set({ open: null })}
        />
      )}
      <InstallDialog install={install} />
    </div>
  );
}

type CatalogChipsProps = { view: CatalogView; facets: CatalogFacets | undefined; packName: string | undefined };

function CatalogChips({ view, facets, packName }: CatalogChipsProps) {
  const chosen = Object.entries(view.chosen) as [FilterKey, string][];
  if (chosen.length === 0) return null;
  return (
    <div className="flex flex-wrap items-center gap-2">
      {chosen.map(([key, value]) => (
        <FilterChip
          key={key}
          label={facetLabels[key]}
          value={key === "pack" ? (packName ?? "…") : facetValueLabel(facets, key, value)}
          onRemove={() => view.set({ [key]: null })}
        />
      ))}
      <Button size="sm" variant="ghost" onClick={view.clear}>
        Clear filters
      </Button>
    </div>
  );
}

function facetValueLabel(facets: CatalogFacets | undefined, key: Exclude<FilterKey, "pack">, value: string): string {
  return facets?.[key].find((facet) => facet.value === value)?.label ?? value;
}

type EntryKeys = {
  items: readonly CatalogItem[];
  activeId: string | null;
  list: RefObject<EntryFocus | null>;
  view: CatalogView;
  install: Install;
};

/** `j k` move between entries, and the preview follows; Enter opens, Esc closes, `i` installs. */
function useEntryKeys({ items, activeId, list, view, install }: EntryKeys): void {
  const { openId, set } = view;
  const index = items.findIndex(({ id }) => id === (activeId ?? openId));
  const active = items[index];
  const group = { group: "Catalog" };

  const move = (by: 1 | -1) => {
    const next = index === -1 ? 0 : Math.max(0, Math.min(items.length - 1, index + by));
    list.current?.focus(next);
    const item = items[next];
    if (openId !== null && item) set({ open: item.id });
  };
  useShortcut("j", "Next skill", () => move(1), { ...group, enabled: items.length > 0 });
  useShortcut("k", "Previous skill", () => move(-1), { ...group, enabled: items.length > 0 });
  useShortcut("escape", "Close the preview", () => set({ open: null }), { ...group, enabled: openId !== null });
  useShortcut(
    "i",
    "Install the skill",
    () => {
      if (active && canInstall(active)) install.start({ id: active.id, name: active.name }, "me");
    },
    { ...group, enabled: active !== undefined },
  );
}

/** The pack that filters the list; it installs as a unit. */

/** The last sync of up to four sources, failed ones first; a popover lists all. */
function SourceFreshness({ sources }: { sources: readonly CatalogSourceStatus[] }) {
  if (sources.length === 0) return null;
  const sorted = [...sources].sort((a, b) => Number(b.error !== null) - Number(a.error !== null));
  return (
    <div className="flex min-w-0 items-center gap-4 text-13 text-muted-foreground max-md:w-full">
      <div className="flex h-6 min-w-0 flex-wrap items-center gap-x-4 overflow-hidden md:justify-end">
        {sorted.slice(0, 4).map((source) => (
          <Source key={source.id} source={source} />
        ))}
      </div>
      {sources.length > 1 || sources[0]?.error ? (
        <Popover>
          <PopoverTrigger className="h-6 shrink-0 rounded-sm underline decoration-border underline-offset-4 hover:text-foreground hover:decoration-current">
            {sources.length === 1 ? "View error" : "View sources"}
          </PopoverTrigger>
          <PopoverContent aria-label="Sources" align="end" className="max-h-96 w-96 overflow-y-auto">
            <ul className="flex flex-col gap-3">
              {sorted.map((source) => (
                <li key={source.id}>
                  <Source source={source} />
                  {source.error ? <p className="mt-0.5 pl-3.5 text-muted-foreground">{source.error}</p> : null}
                </li>
              ))}
            </ul>
          </PopoverContent>
        </Popover>
      ) : null}
    </div>
  );
}

function Source({ source: { label, syncedAt, error } }: { source: CatalogSourceStatus }) {
  const isFailing = error !== null;
  return (
    <span className="inline-flex h-6 min-w-0 max-w-full items-center gap-1.5">
      <span
        aria-hidden
        className={cn(
          "size-2 shrink-0 rounded-full",
          isFailing ? "bg-danger-mark" : syncedAt ? "bg-success-mark" : "bg-muted-foreground/50",
        )}
      />
      <span className="min-w-0 truncate text-foreground">
        <RevealedText text={label} />
      </span>
      <span className="shrink-0">
        {isFailing ? <span className="font-medium text-danger">Sync failed</span> : null}
        {isFailing && syncedAt ? " · last synced " : null}
        {syncedAt ? (
          <>
            {isFailing ? "" : "· synced "}
            <RelativeTime value={syncedAt} />
          </>
        ) : isFailing ? null : (
          "· not synced yet"
        )}
      </span>
    </span>
  );
}

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

function CatalogToolbar({ view, facets, total }: CatalogToolbarProps) {
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
