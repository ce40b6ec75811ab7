import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import { type RefObject, useCallback } from "react";
import { EndOfList } from "@/components/lists/end-of-list";
import { QueryState } from "@/components/state/query-state";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { deferred } from "@/components/ui/deferred/deferred";
import { EmptyState } from "@/components/ui/empty-state";
import { Skeleton } from "@/components/ui/skeleton";
import type { CatalogItem, CatalogPage } from "@/lib/catalog/schema";
import type { CatalogView } from "./use-catalog-view";
import type { EntryFocus } from "./virtual-entries";

const CatalogEntries = deferred(
  async () => (await import("./catalog-entries")).CatalogEntries,
  <CatalogSkeleton layout="cards" />,
  { early: true },
);

const NoSources = deferred(async () => (await import("./no-sources")).NoSources);

const widths = ["w-1/5", "w-1/4", "w-1/6"];

type CatalogResultsProps = {
  query: UseInfiniteQueryResult<InfiniteData<CatalogPage>, Error>;
  items: readonly CatalogItem[];
  view: CatalogView;
  list: RefObject<EntryFocus | null>;
  onActivate: (id: string) => void;
};

/** The list: loading, failed, empty or filled. Old results stay visible until new ones arrive. */
export function CatalogResults({ query, items, view, list, onActivate }: CatalogResultsProps) {
  const { set } = view;
  const open = useCallback((item: CatalogItem) => set({ open: item.id }), [set]);
  const isList = view.layout === "list";
  return (
    <div
      className={cn(
        "@container",
        query.isPlaceholderData && "opacity-60",
        isList && items.length > 0 && "max-md:-mx-4",
      )}
      aria-busy={query.isPlaceholderData || undefined}
    >
      <QueryState
        // EndOfList shows why the next page could not be loaded.
        query={{ data: query.data, error: query.isFetchNextPageError ? null : query.error, refetch: query.refetch }}
        loading={<CatalogSkeleton layout={view.layout} />}
        errorTitle="The catalog could not be loaded."
        isEmpty={() => items.length === 0}
        empty={
          view.isFiltered ? <NothingFound view={view} /> : <NoSources sources={query.data?.pages[0]?.sources ?? []} />
        }
      >
        {({ pages }) => (
          <>
            <CatalogEntries
              list={list}
              items={items}
              total={pages[0]?.total ?? 0}
              layout={view.layout}
              openId={view.openId}
              onOpen={open}
              onActivate={onActivate}
            />
            <EndOfList query={query} endText={items.length > 20 ? "End of list" : ""} />
          </>
        )}
      </QueryState>
    </div>
  );
}

function NothingFound({ view }: { view: CatalogView }) {
  return (
    <EmptyState
      title="No matching skills"
      description={
        view.q ? <>No skill matches “{view.q}” and these filters.</> : "No skill matches all of these filters."
      }
      action={<Button onClick={view.clear}>Clear search and filters</Button>}
    />
  );
}

function CatalogSkeleton({ layout }: { layout: "cards" | "list" }) {
  return (
    <div role="status" aria-busy="true">
      <span className="sr-only">Loading the catalog</span>
      {layout === "list" ? <Rows /> : <Cards />}
    </div>
  );
}

function Cards() {
  return (
    <div className="grid grid-cols-[repeat(auto-fill,minmax(min(17rem,100%),1fr))] gap-3">
      {Array.from({ length: 12 }, (_, card) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders never move
        <div key={card} className="flex h-41 flex-col gap-3 rounded-md border p-3.5">
          <Skeleton className="w-1/2" />
          <Skeleton />
          <Skeleton className="w-4/5" />
          <Skeleton className="mt-auto w-2/3" />
        </div>
      ))}
    </div>
  );
}

function Rows() {
  return Array.from({ length: 12 }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: placeholders never move
    <div key={row} className="flex h-12 items-center gap-4 border-b px-3">
      <div className="flex flex-1 flex-col gap-1.5">
        <Skeleton className={`h-3.5 ${widths[row % widths.length] ?? ""}`} />
        <Skeleton className="h-3 w-2/3" />
      </div>
      <Skeleton className="w-14" />
    </div>
  ));
}
