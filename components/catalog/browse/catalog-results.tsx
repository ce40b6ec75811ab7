"use client";

import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import { type RefObject, useCallback } from "react";
import { EndOfList } from "@/components/runs/end-of-list";
import { errorText } from "@/components/state/describe-error";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { Notice } from "@/components/ui/notice";
import type { CatalogItem, CatalogPage } from "@/lib/catalog/schema";
import { CatalogSkeleton } from "./catalog-skeleton";
import { cardHeight, EntryCard } from "./entry-card";
import { EntryRow, rowHeight } from "./entry-row";
import { NoSources } from "./no-sources";
import type { CatalogView } from "./use-catalog-view";
import { type EntryFocus, VirtualEntries } from "./virtual-entries";

type CatalogResultsProps = {
  query: UseInfiniteQueryResult<InfiniteData<CatalogPage>, Error>;
  items: readonly CatalogItem[];
  view: CatalogView;
  list: RefObject<EntryFocus | null>;
  onActivate: (id: string) => void;
};

/** The list in its four states. What is shown stays while the next answer is on its way. */
export function CatalogResults({ query, items, view, list, onActivate }: CatalogResultsProps) {
  const { data, error } = query;
  const { set } = view;
  const open = useCallback((item: CatalogItem) => set({ open: item.id }), [set]);
  const [first] = data?.pages ?? [];

  if (!first) {
    if (error) {
      return <ErrorState error={error} title="The catalog could not be loaded." onRetry={() => void query.refetch()} />;
    }
    return <CatalogSkeleton layout={view.layout} />;
  }
  if (items.length === 0) {
    if (view.isFiltered) return <NothingFound view={view} />;
    return <NoSources sources={first.sources} />;
  }
  const isList = view.layout === "list";
  const Entry = isList ? EntryRow : EntryCard;
  return (
    <div
      className={cn("@container", query.isPlaceholderData && "opacity-60", isList && "max-md:-mx-4")}
      aria-busy={query.isPlaceholderData || undefined}
    >
      {error && !query.isFetchNextPageError ? (
        <Notice
          tone="warning"
          announce
          className="mb-3"
          action={
            <Button size="sm" onClick={() => void query.refetch()}>
              Try again
            </Button>
          }
        >
          This is not the newest state. {errorText(error)}
        </Notice>
      ) : null}
      <VirtualEntries
        ref={list}
        items={items}
        total={first.total}
        rowHeight={isList ? rowHeight : cardHeight}
        gap={isList ? 0 : 12}
        minColumnWidth={isList ? 0 : 256}
      >
        {(item) => <Entry item={item} isOpen={item.id === view.openId} onOpen={open} onActivate={onActivate} />}
      </VirtualEntries>
      <EndOfList query={query} endText={items.length > 20 ? "That is all of it." : ""} />
    </div>
  );
}

function NothingFound({ view }: { view: CatalogView }) {
  return (
    <EmptyState
      title="No skill matches"
      description={view.q ? <>Nothing fits “{view.q}” with these filters.</> : "Nothing fits these filters together."}
      action={<Button onClick={view.clear}>Clear search and filters</Button>}
    />
  );
}
