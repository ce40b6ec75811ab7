import Link from "next/link";
import { type MouseEvent, memo, type Ref } from "react";
import { RevealedText } from "@/components/code/hidden-notice";
import { ClassChip } from "@/components/ui/class-chip";
import { cn } from "@/components/ui/cn";
import { formatBytes } from "@/components/ui/format-bytes";
import { RelativeTime } from "@/components/ui/relative-time";
import type { CatalogItem } from "@/lib/catalog/schema";
import { ToolChips } from "../../skills/permission-list";
import { countOf } from "../../skills/skill-labels";
import { entryHref } from "../catalog-labels";
import { InstallBadge } from "../entry/entry-heading";
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
        <ClassChip value={item.class} proposed />
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
        "relative flex h-full items-center gap-3 border-b px-3 text-13 max-md:px-4 hover:bg-accent/60",
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
      <span className="w-36 shrink-0 @max-2xl:hidden" title="Tools that it asks for">
        <ToolChips tools={item.allowedTools} shown={1} />
      </span>
      <span className="w-34 shrink-0 @max-md:w-auto">
        <ClassChip value={item.class} proposed />
      </span>
      <span className="flex w-56 shrink-0 flex-col text-muted-foreground text-xs leading-4 @max-4xl:hidden">
        <span className="truncate" title={`${item.owner}/${item.repo}`}>
          <RevealedText text={item.sourceLabel} />
        </span>
        <EntryFacts item={item} />
      </span>
      <span className="w-32 shrink-0 text-right text-muted-foreground text-xs @max-xl:hidden">
        Changed <RelativeTime value={item.changedAt} />
      </span>
    </div>
  );
});

type CatalogEntriesProps = Pick<EntryProps, "onOpen" | "onActivate"> & {
  list: Ref<EntryFocus>;
  items: readonly CatalogItem[];
  total: number;
  layout: "cards" | "list";
  openId: string | null;
};

/** The loaded entries as cards or as a dense list; those out of sight are not rendered. */
export function CatalogEntries({ list, items, total, layout, openId, ...events }: CatalogEntriesProps) {
  const isList = layout === "list";
  const Entry = isList ? EntryRow : EntryCard;
  return (
    <VirtualEntries
      ref={list}
      items={items}
      total={total}
      rowHeight={isList ? rowHeight : cardHeight}
      gap={isList ? 0 : 12}
      minColumnWidth={isList ? 0 : 256}
    >
      {(item) => <Entry item={item} isOpen={item.id === openId} {...events} />}
    </VirtualEntries>
  );
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
      {item.hasScripts ? <span className="font-medium text-foreground"> · scripts</span> : null}
      {" · "}
      {item.license ? <RevealedText text={item.license} /> : "No licence"}
    </span>
  );
}

type EntryProps = {
  item: CatalogItem;
  isOpen: boolean;
  onOpen: (item: CatalogItem) => void;
  onActivate: (id: string) => void;
};

/** The entry's name as a link over its whole card or row. On wide screens it opens the preview. */
function EntryLink({ item, isOpen, onOpen, onActivate, className }: EntryProps & { className?: string }) {
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || !hasSpaceForPreview()) return;
    if (isOpen && event.detail === 0) return; // Enter on the open entry goes to its page.
    event.preventDefault();
    onOpen(item);
  };
  return (
    <Link
      href={entryHref(item.id)}
      prefetch={false}
      data-row-link={item.id}
      aria-current={isOpen ? "true" : undefined}
      title={item.name}
      onFocus={() => onActivate(item.id)}
      onClick={open}
      className={cn(
        "min-w-0 truncate rounded-sm font-medium after:absolute after:inset-0 after:rounded-md hover:underline focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-ring",
        className,
      )}
    >
      <RevealedText text={item.name} />
    </Link>
  );
}

function hasSpaceForPreview(): boolean {
  return window.matchMedia("(min-width: 80rem)").matches;
}
