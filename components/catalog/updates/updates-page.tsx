"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import Link from "next/link";
import { useMemo, useState } from "react";
import { EndOfList } from "@/components/lists/end-of-list";
import { useLinkKeys } from "@/components/lists/use-link-keys";
import { useSelectedIds } from "@/components/lists/use-selected-ids";
import { useCrumbs } from "@/components/shell/crumbs";
import { useShortcut } from "@/components/shell/use-shortcut";
import { QueryState } from "@/components/state/query-state";
import { useUrlState } from "@/components/state/use-url-params";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { deferredUntil } from "@/components/ui/deferred/deferred";
import { EmptyState } from "@/components/ui/empty-state";
import { SelectionBar } from "@/components/ui/selection-bar";
import { SkeletonRows } from "@/components/ui/skeleton";
import type { BulkUpdateAnswer, UpdateItem } from "@/lib/catalog/update/schema";
import { updatesQuery } from "@/lib/client/catalog";
import { countOf } from "../../skills/skill-labels";
import { CatalogTabs } from "../catalog-tabs";
import { describeChanges, updateStates, useImportUpdates } from "./import-update";
import { canImport, UpdateRow } from "./update-row";

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
