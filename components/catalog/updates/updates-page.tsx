"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import Link from "next/link";
import { memo, useMemo, useState } from "react";
import { CatalogTabs } from "@/components/catalog/catalog-tabs";
import { RevealedText } from "@/components/code/hidden-notice";
import { EndOfList } from "@/components/lists/end-of-list";
import { useLinkKeys } from "@/components/lists/use-list-keys";
import { useSelectedIds } from "@/components/lists/use-selected-ids";
import { useCrumbs } from "@/components/shell/crumbs";
import { useShortcut } from "@/components/shell/use-shortcut";
import { countOf } from "@/components/skills/skill-labels";
import { QueryState } from "@/components/state/query-state";
import { useUrlState } from "@/components/state/use-url-params";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { cn } from "@/components/ui/cn";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { deferredUntil } from "@/components/ui/deferred/deferred";
import { Digest } from "@/components/ui/digest";
import { EmptyState } from "@/components/ui/empty-state";
import { RelativeTime } from "@/components/ui/relative-time";
import { SelectionBar } from "@/components/ui/selection-bar";
import { SkeletonRows } from "@/components/ui/skeleton";
import type { BulkUpdateAnswer, UpdateItem } from "@/lib/catalog/update/schema";
import { updatesQuery } from "@/lib/client/catalog";
import { describeChanges, updateStates, useImportUpdates } from "./import-update";

const UpdateDrawer = deferredUntil(
  async () => (await import("./update-drawer")).UpdateDrawer,
  ({ item }) => item !== null,
);

type UpdateBarProps = {
  items: readonly UpdateItem[];
  all: readonly UpdateItem[];
  onSelectAll: () => void;
  onClear: () => void;
  onDone: (answer: BulkUpdateAnswer) => void;
};

const maxSelected = 100;

const stateOrder = ["available", "pending", "removed"] as const;

export function UpdatesPage() {
  useCrumbs([{ label: "Catalog", href: "/catalog" }, { label: "Updates" }]);
  const query = useInfiniteQuery(updatesQuery);
  const [opened, setOpened] = useUrlState("skill");
  const [activeId, setActiveId] = useState<string | null>(null);
  const { selected, select, selectOnly } = useSelectedIds();
  const [failures, setFailures] = useState<ReadonlyMap<string, string>>(new Map());
  const items = useMemo(() => query.data?.pages.flatMap((page) => page.items) ?? [], [query.data]);
  const groups = useMemo(
    () => stateOrder.map((state) => ({ state, items: items.filter((item) => item.state === state) })),
    [items],
  );
  const shown = useMemo(() => groups.flatMap((group) => group.items), [groups]);
  const chosen = shown.filter((item) => selected.has(item.skillId) && canImport(item));

  const active = shown.find(({ skillId }) => skillId === activeId);
  useLinkKeys({ ids: shown.map(({ skillId }) => skillId), activeId, noun: "update", group: "Updates" });
  useShortcut(
    "x",
    "Select the update",
    () => active && canImport(active) && select(active.skillId, !selected.has(active.skillId)),
    { group: "Updates" },
  );

  const row = (item: UpdateItem) => (
    <UpdateRow
      key={item.skillId}
      item={item}
      failure={failures.get(item.skillId)}
      isActive={item.skillId === activeId}
      isSelected={selected.has(item.skillId)}
      onActivate={setActiveId}
      onSelect={select}
      onOpen={setOpened}
    />
  );

  return (
    <div className="mx-auto flex w-full max-w-[1248px] flex-1 flex-col gap-4 px-4 py-5 md:px-6">
      <h1>Catalog</h1>
      <CatalogTabs />
      <UpdateBar
        items={chosen}
        all={shown.filter(canImport)}
        onSelectAll={() => selectOnly(shown.filter(canImport).map((item) => item.skillId))}
        onClear={() => selectOnly([])}
        onDone={({ failed }) => {
          selectOnly(failed.map(({ skillId }) => skillId));
          setFailures(new Map(failed.map(({ skillId, message }) => [skillId, message])));
        }}
      />
      <QueryState
        query={query}
        loading={<SkeletonRows rows={6} label="Loading the updates" />}
        errorTitle="The updates could not be loaded."
        isEmpty={() => items.length === 0}
        empty={<NoUpdates />}
      >
        {() => (
          <div className="flex flex-col gap-6">
            {groups.map((group) =>
              group.items.length === 0 ? null : (
                <section key={group.state} aria-labelledby={`updates-${group.state}`}>
                  <h2 id={`updates-${group.state}`} className="text-sm">
                    {updateStates[group.state].label}{" "}
                    <span className="font-normal text-muted-foreground tabular-nums">{group.items.length}</span>
                  </h2>
                  <p className="mb-2 text-13 text-muted-foreground">{updateStates[group.state].explanation}</p>
                  <ul className="divide-y overflow-hidden rounded-md border">{group.items.map(row)}</ul>
                </section>
              ),
            )}
            <EndOfList query={query} endText="" />
          </div>
        )}
      </QueryState>
      <UpdateDrawer item={items.find(({ skillId }) => skillId === opened) ?? null} onClose={() => setOpened("")} />
    </div>
  );
}

function NoUpdates() {
  return (
    <EmptyState
      icon={CircleCheck}
      title="All skills are up to date"
      description="When a repository changes an installed skill, the update appears here. Skillgate never imports updates by itself."
      action={
        <Button asChild>
          <Link href="/catalog">Browse the catalog</Link>
        </Button>
      }
    />
  );
}

function UpdateBar({ items, all, onSelectAll, onClear, onDone }: UpdateBarProps) {
  const [confirming, setConfirming] = useState(false);
  const take = useImportUpdates(onDone);
  if (items.length === 0 && !confirming) return null;
  const count = countOf(items.length, "update");
  return (
    <SelectionBar
      label="Actions for selected updates"
      count={items.length}
      onClear={onClear}
      className="min-h-13"
      dialogs={
        <ConfirmDialog
          open={confirming}
          onOpenChange={setConfirming}
          title={`Import ${count}?`}
          description="Each becomes a version pending review. The approved version stays active until a reviewer approves the update."
          confirmLabel={`Import ${count}`}
          onConfirm={() => take.mutateAsync(items.map((item) => item.skillId))}
        >
          <ul className="max-h-48 overflow-y-auto text-13">
            {items.map((item) => (
              <li key={item.skillId} className="flex justify-between gap-4">
                <span className="truncate">{item.skillName}</span>
                <span className="shrink-0 text-muted-foreground">{describeChanges(item.files)}</span>
              </li>
            ))}
          </ul>
        </ConfirmDialog>
      }
    >
      <Button size="sm" variant="primary" disabled={items.length > maxSelected} onClick={() => setConfirming(true)}>
        Import {count}
      </Button>
      {all.length > items.length ? (
        <Button size="sm" variant="ghost" onClick={onSelectAll}>
          Select all {all.length}
        </Button>
      ) : null}
      {items.length > maxSelected ? (
        <span className="text-13 text-muted-foreground">Select at most {maxSelected}</span>
      ) : null}
    </SelectionBar>
  );
}

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

function canImport(item: UpdateItem): boolean {
  return item.state === "available" && item.blocked === null;
}

const UpdateRow = memo(function UpdateRow(props: UpdateRowProps) {
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
