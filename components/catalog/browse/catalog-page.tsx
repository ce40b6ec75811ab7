"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useMemo, useRef, useState } from "react";
import { catalogPacksQuery, catalogQuery } from "@/lib/client/catalog";
import { CatalogTabs } from "../catalog-tabs";
import { InstallDialog } from "../install/install-dialog";
import { useInstall } from "../install/use-install";
import { CatalogChips } from "./catalog-chips";
import { CatalogResults } from "./catalog-results";
import { CatalogToolbar } from "./catalog-toolbar";
import { EntryPreview } from "./entry-preview";
import { Facets } from "./facets";
import { PackBanner } from "./pack-banner";
import { SourceFreshness } from "./source-freshness";
import { useCatalogView } from "./use-catalog-view";
import { useEntryKeys } from "./use-entry-keys";
import type { EntryFocus } from "./virtual-entries";

/** Facets, results, and beside them what one of them is. */
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
            {pack ? <PackBanner pack={pack} install={install} /> : null}
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
