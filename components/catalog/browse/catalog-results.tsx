import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import { Library } from "lucide-react";
import Link from "next/link";
import { memo, type RefObject, useCallback } from "react";
import { RevealedText } from "@/components/code/hidden-notice";

import { EndOfList } from "@/components/lists/end-of-list";
import { QueryState } from "@/components/state/query-state";
import { useMe } from "@/components/state/use-me";
import { Button } from "@/components/ui/button";
import { ClassChip } from "@/components/ui/class-chip";
import { cn } from "@/components/ui/cn";
import { EmptyState } from "@/components/ui/empty-state";
import { formatBytes } from "@/components/ui/format-bytes";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import type { CatalogItem, CatalogPage, CatalogSourceStatus } from "@/lib/catalog/schema";
import { ToolChips } from "../../skills/permission-list";
import { countOf } from "../../skills/skill-labels";
import { InstallBadge } from "../entry/entry-heading";
import { EntryLink, type EntryProps } from "./entry-link";
import type { CatalogView } from "./use-catalog-view";
import { type EntryFocus, VirtualEntries } from "./virtual-entries";

/** In pixels, with the border. */
const cardHeight = 164;

const EntryCard = memo(function EntryCard(props: EntryProps) {
  const { item, isOpen } = props;
  return (
    <div
      className={cn(
        "relative flex h-full flex-col gap-2 rounded-md border p-3.5 hover:border-input",
        isOpen && "border-primary bg-selected hover:border-primary",
      )}
    >
      <div className="flex h-5 items-center gap-2">
        <EntryLink {...props} className="flex-1" />
        <InstallBadge item={item} />
      </div>
      <p className="line-clamp-2 h-10 text-13 text-muted-foreground" title={item.description}>
        {item.description ? <RevealedText text={item.description} /> : "No description"}
      </p>
      <div className="flex h-5 items-center gap-1.5">
        <ClassChip value={item.class} />
        <ToolChips tools={item.allowedTools} shown={2} />
      </div>
      <div className="mt-auto flex flex-col text-muted-foreground text-xs leading-4">
        <span className="flex justify-between gap-3">
          <Publisher item={item} />
          <RelativeTime value={item.changedAt} />
        </span>
        <EntryFacts item={item} />
      </div>
    </div>
  );
});

const rowHeight = 48;

/** One line of the dense list. When space runs out, columns disappear from the right. */
const EntryRow = memo(function EntryRow(props: EntryProps) {
  const { item, isOpen } = props;
  return (
    <div
      className={cn(
        "relative flex h-full items-center gap-3 border-b px-3 text-13 hover:bg-accent/60",
        isOpen && "bg-selected shadow-[inset_2px_0_0_var(--primary)] hover:bg-selected",
      )}
    >
      <div className="min-w-0 flex-1">
        <div className="flex items-center gap-2">
          <EntryLink {...props} />
          <InstallBadge item={item} />
        </div>
        <p className="truncate text-muted-foreground text-xs" title={item.description}>
          {item.description ? <RevealedText text={item.description} /> : "No description"}
        </p>
      </div>
      <span className="w-60 shrink-0 @max-2xl:hidden">
        <ToolChips tools={item.allowedTools} shown={2} />
      </span>
      <span className="w-20 shrink-0 @max-sm:w-auto">
        <ClassChip value={item.class} />
      </span>
      <span className="flex w-56 shrink-0 flex-col text-muted-foreground text-xs leading-4 @max-4xl:hidden">
        <span className="truncate" title={`${item.owner}/${item.repo}`}>
          <RevealedText text={item.sourceLabel} />
        </span>
        <EntryFacts item={item} />
      </span>
      <span className="w-20 shrink-0 text-right text-muted-foreground text-xs @max-xl:hidden">
        <RelativeTime value={item.changedAt} />
      </span>
    </div>
  );
});

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
  const Entry = isList ? EntryRow : EntryCard;
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
            <VirtualEntries
              ref={list}
              items={items}
              total={pages[0]?.total ?? 0}
              rowHeight={isList ? rowHeight : cardHeight}
              gap={isList ? 0 : 12}
              minColumnWidth={isList ? 0 : 256}
            >
              {(item) => <Entry item={item} isOpen={item.id === view.openId} onOpen={open} onActivate={onActivate} />}
            </VirtualEntries>
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

/** The empty catalog: tells admins to add a source, and other people to ask an admin. */
function NoSources({ sources }: { sources: readonly CatalogSourceStatus[] }) {
  const isAdmin = useMe()?.user.role === "admin";
  const hasSources = sources.length > 0;
  const isWaiting = sources.some(({ syncedAt, error }) => syncedAt === null && error === null);
  const action = (
    <Button asChild variant={hasSources ? "secondary" : "primary"}>
      <Link href={hasSources ? "/settings/catalog" : "/settings/catalog?add=1"}>
        {hasSources ? "View sources" : "Add a source"}
      </Link>
    </Button>
  );
  return (
    <EmptyState
      icon={Library}
      title={hasSources ? "The sources contain no skills yet" : "No sources yet"}
      description={
        isWaiting
          ? "The first sync is running. Skills appear here when it is done."
          : hasSources
            ? "None of the repositories contains a folder with a SKILL.md."
            : isAdmin
              ? "The catalog shows the skills of GitHub repositories that you add. Everyone can read them and install them for review."
              : "The catalog shows the skills of repositories that admins add. Ask an admin of this server to add one."
      }
      action={isAdmin ? action : null}
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
        <div key={card} style={{ height: cardHeight }} className="flex flex-col gap-3 rounded-md border p-3.5">
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

function Publisher({ item }: Pick<EntryProps, "item">) {
  return (
    <span className="truncate" title={`${item.owner}/${item.repo}, ${item.folder || "root folder"}`}>
      <RevealedText text={item.sourceLabel} />
      {item.copies > 1 ? ` and ${item.copies - 1} more` : null}
    </span>
  );
}

/** "5 files, 12 KiB · scripts · MIT" */
function EntryFacts({ item, className }: { item: CatalogItem; className?: string }) {
  const size = `${countOf(item.files, "file")}, ${formatBytes(item.bytes)}`;
  return (
    <span className={cn("truncate", className)} title={[size, item.license].filter(Boolean).join(" · ")}>
      <span className="tabular-nums">{size}</span>
      {item.hasScripts ? <span className="font-medium text-warning"> · scripts</span> : null}
      {" · "}
      {item.license ? <RevealedText text={item.license} /> : "No licence"}
    </span>
  );
}
