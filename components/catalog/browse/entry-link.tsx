import Link from "next/link";
import type { MouseEvent } from "react";
import { RevealedText } from "@/components/code/hidden-notice";
import { cn } from "@/components/ui/cn";
import type { CatalogItem } from "@/lib/catalog/schema";
import { entryHref } from "../catalog-labels";

export type EntryProps = {
  item: CatalogItem;
  isOpen: boolean;
  onOpen: (item: CatalogItem) => void;
  onActivate: (id: string) => void;
};

/** The entry's name as a link over its whole card or row. On wide screens it opens the preview. */
export function EntryLink({ item, isOpen, onOpen, onActivate, className }: EntryProps & { className?: string }) {
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
