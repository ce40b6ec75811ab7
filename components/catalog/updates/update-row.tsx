import { memo } from "react";
import { RevealedText } from "@/components/code/hidden-notice";
import { Badge } from "@/components/ui/badge";
import { Checkbox } from "@/components/ui/checkbox";
import { cn } from "@/components/ui/cn";
import { Digest } from "@/components/ui/digest";
import { RelativeTime } from "@/components/ui/relative-time";
import type { UpdateItem } from "@/lib/catalog/update/schema";
import { describeChanges } from "./import-update";

type UpdateRowProps = {
  item: UpdateItem;
  /** Why the last bulk import failed for it. */
  failure: string | undefined;
  isActive: boolean;
  isSelected: boolean;
  onActivate: (id: string) => void;
  onSelect: (id: string, selected: boolean) => void;
  onOpen: (id: string) => void;
};

export function canImport(item: UpdateItem): boolean {
  return item.state === "available" && item.blocked === null;
}

export const UpdateRow = memo(function UpdateRow(props: UpdateRowProps) {
  const { item, failure, isActive, isSelected, onActivate, onSelect, onOpen } = props;
  return (
    <li
      onFocus={() => onActivate(item.skillId)}
      className={cn(
        "relative flex min-h-14 items-center gap-3 px-4 py-2 text-13 hover:bg-accent/60",
        isActive && "bg-accent shadow-[inset_2px_0_0_var(--primary)]",
        isSelected && "bg-selected",
      )}
    >
      <span className="relative z-10 w-4 shrink-0">
        {canImport(item) ? (
          <Checkbox
            aria-label={`Select ${item.skillName}`}
            checked={isSelected}
            onCheckedChange={(checked) => onSelect(item.skillId, checked === true)}
          />
        ) : null}
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2">
          <button
            type="button"
            data-row-link={item.skillId}
            onClick={() => onOpen(item.skillId)}
            className="min-w-0 truncate rounded-sm font-medium after:absolute after:inset-0 hover:underline"
          >
            <RevealedText text={item.skillName} />
          </button>
          {item.blocked ? (
            <Badge tone="danger" title={item.blocked.reason}>
              Not importable
            </Badge>
          ) : null}
        </p>
        <p className="truncate text-muted-foreground text-xs" title={`${item.repository}@${item.ref}:${item.folder}`}>
          {item.state === "removed" ? null : <span className="sm:hidden">{describeChanges(item.files)} · </span>}
          <RevealedText text={`${item.repository}@${item.ref}:${item.folder}`} />
        </p>
        {failure ? <p className="text-danger text-xs">{failure}</p> : null}
      </div>
      <span className="shrink-0 tabular-nums max-sm:hidden">
        {item.state === "removed" ? "" : describeChanges(item.files)}
      </span>
      <span className="relative z-10 flex w-36 shrink-0 items-center gap-1.5 max-md:hidden">
        <Digest value={item.from.commit} label="installed commit" />
        {item.to ? (
          <>
            <span aria-hidden className="text-muted-foreground">
              →
            </span>
            <Digest value={item.to.commit} label="newest commit" />
          </>
        ) : null}
      </span>
      <span className="w-20 shrink-0 text-right text-muted-foreground">
        <RelativeTime value={item.changedAt} />
      </span>
    </li>
  );
});
