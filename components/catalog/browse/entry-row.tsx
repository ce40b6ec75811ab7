import { memo } from "react";
import { RevealedText } from "@/components/code/revealed-text";
import { ClassChip } from "@/components/ui/class-chip";
import { cn } from "@/components/ui/cn";
import { RelativeTime } from "@/components/ui/relative-time";
import { ToolChips } from "../../skills/tool-chips";
import { EntryFacts } from "../entry/entry-facts";
import { InstallBadge } from "../entry/install-badge";
import { EntryLink, type EntryProps } from "./entry-link";

export const rowHeight = 48;

/** One line of the dense list; what does not fit beside an open preview goes first from the right. */
export const EntryRow = memo(function EntryRow(props: EntryProps) {
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
          {item.description ? <RevealedText text={item.description} /> : "Without a description."}
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
