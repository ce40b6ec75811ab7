import { memo } from "react";
import { RevealedText } from "@/components/code/revealed-text";
import { ClassChip } from "@/components/ui/class-chip";
import { cn } from "@/components/ui/cn";
import { RelativeTime } from "@/components/ui/relative-time";
import { ToolChips } from "../../skills/tool-chips";
import { EntryFacts } from "../entry/entry-facts";
import { InstallBadge } from "../entry/install-badge";
import { EntryLink, type EntryProps } from "./entry-link";

/** Its height with its border, in pixels. */
export const cardHeight = 164;

export const EntryCard = memo(function EntryCard(props: EntryProps) {
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
        {item.description ? <RevealedText text={item.description} /> : "Without a description."}
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

function Publisher({ item }: Pick<EntryProps, "item">) {
  return (
    <span className="truncate" title={`${item.owner}/${item.repo}, ${item.folder || "its root"}`}>
      <RevealedText text={item.sourceLabel} />
      {item.copies > 1 ? ` and ${item.copies - 1} more` : null}
    </span>
  );
}
