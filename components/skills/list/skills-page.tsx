"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { FolderUp, ListOrdered, Plus } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useEffect, useMemo, useState } from "react";
import { createPortal } from "react-dom";
import { useLinkKeys } from "@/components/lists/use-list-keys";
import { useSelectedIds } from "@/components/lists/use-selected-ids";
import { Page } from "@/components/shell/page";
import { useShortcut } from "@/components/shell/use-shortcut";
import { filesOfDrop, type PickedFile } from "@/components/skills/import/import-files";
import { useImportDrawer } from "@/components/skills/import/use-import";
import { actionHref } from "@/components/skills/skill-labels";
import { useSkillSwitch } from "@/components/skills/skill-switch";
import { Button } from "@/components/ui/button";
import { deferred, deferredUntil } from "@/components/ui/deferred/deferred";
import { skillsQuery } from "@/lib/client/skills";
import type { Skill } from "@/lib/skills/schema";
import { groupByCategory, SkillFilterChips, useSkillFilters } from "./skill-filters";
import { SkillsSkeleton } from "./skills-skeleton";
import { SkillsToolbar } from "./skills-toolbar";

const SkillList = deferred(async () => (await import("./skill-list")).SkillList, <SkillsSkeleton layout="table" />, {
  early: true,
});

const BulkBar = deferredUntil(
  async () => (await import("./bulk-bar")).BulkBar,
  ({ skills }) => skills.length > 0,
);

const NewSkillDialog = deferredUntil(
  async () => (await import("./new-skill-dialog")).NewSkillDialog,
  ({ open }) => open,
);

const ImportDrawer = deferredUntil(
  async () => (await import("@/components/skills/import/import-drawer")).ImportDrawer,
  ({ drawer }) => drawer.isOpen,
);

export function SkillsPage() {
  const view = useSkillFilters();
  const importDrawer = useImportDrawer();
  const [creating, setCreating] = useState(false);
  const [activeId, setActiveId] = useState<string | null>(null);
  const { selected, select, selectOnly } = useSelectedIds();

  const query = useInfiniteQuery(skillsQuery(view.filters));
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const loaded = useMemo(() => query.data?.pages.flatMap((page) => page.items) ?? [], [query.data]);
  const shown = useMemo(
    () => (view.isGrouped ? groupByCategory(loaded).flatMap((group) => group.skills) : loaded),
    [loaded, view.isGrouped],
  );
  const categories = useMemo(() => [...new Set(loaded.map((skill) => skill.category))].sort(), [loaded]);
  const chosen = useMemo(() => shown.filter((skill) => selected.has(skill.id)), [shown, selected]);

  useSkillKeys({ skills: shown, activeId, selected, onSelect: select });

  // Grouping fetches all pages, since incomplete groups would mislead.
  useEffect(() => {
    if (view.isGrouped && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [view.isGrouped, hasNextPage, isFetchingNextPage, fetchNextPage]);

  return (
    <Page
      title="My skills"
      description="Skills you own and skills the organisation shares with you."
      actions={
        <>
          <Button asChild variant="ghost">
            <Link href="/collections">
              <ListOrdered aria-hidden />
              Collections
            </Link>
          </Button>
          <Button onClick={importDrawer.open}>
            <FolderUp aria-hidden />
            Import
          </Button>
          <Button variant="primary" onClick={() => setCreating(true)}>
            <Plus aria-hidden />
            New skill
          </Button>
        </>
      }
    >
      <DropOverlay onDrop={importDrawer.take} />
      <ImportDrawer drawer={importDrawer} />
      <NewSkillDialog open={creating} onOpenChange={setCreating} />
      <BulkBar skills={chosen} onDone={() => selectOnly([])} />
      <SkillsToolbar view={view} categories={categories} />
      <SkillFilterChips view={view} />
      <SkillList
        query={query}
        view={view}
        skills={shown}
        activeId={activeId}
        selected={selected}
        onActivate={setActiveId}
        onSelect={select}
        onSelectAll={(all) => selectOnly(all ? shown.map((skill) => skill.id) : [])}
        onImport={importDrawer.open}
        onCreate={() => setCreating(true)}
      />
    </Page>
  );
}

type SkillKeys = {
  skills: readonly Skill[];
  activeId: string | null;
  selected: ReadonlySet<string>;
  onSelect: (id: string, selected: boolean) => void;
};

/** `j` and `k` move the focus; `x`, `e` and `r` act on the focused row. */
function useSkillKeys({ skills, activeId, selected, onSelect }: SkillKeys): void {
  const router = useRouter();
  const change = useSkillSwitch();
  const active = skills.find(({ id }) => id === activeId);
  // The help lists what works: these keys need a focused row.
  const group = { group: "My skills", enabled: active !== undefined };
  useLinkKeys({ ids: skills.map(({ id }) => id), activeId, noun: "skill", group: "My skills" });
  useShortcut("x", "Select skill", () => active && onSelect(active.id, !selected.has(active.id)), group);
  useShortcut(
    "e",
    "Switch skill on or off",
    () => active && change({ skill: active, enabled: !active.enabled }),
    group,
  );
  useShortcut("r", "Run or use skill", () => active && router.push(actionHref(active)), group);
}

type DropOverlayProps = { onDrop: (files: Promise<PickedFile[]>) => void };

function DropOverlay({ onDrop }: DropOverlayProps) {
  const isDragging = useFileDrop(onDrop);
  if (!isDragging) return null;
  return createPortal(
    <div className="pointer-events-none fixed inset-0 z-60 grid animate-fade place-items-center bg-overlay p-6">
      <div className="flex flex-col items-center gap-2 rounded-lg border-2 border-primary border-dashed bg-popover px-12 py-10 text-center shadow-float">
        <FolderUp aria-hidden strokeWidth={1.5} className="size-8 text-primary" />
        <p className="font-medium">Drop to import</p>
        <p className="text-13 text-muted-foreground">A skill folder, a SKILL.md, a .zip, .tar.gz or .tgz</p>
      </div>
    </div>,
    document.body,
  );
}

function useFileDrop(onDrop: DropOverlayProps["onDrop"]): boolean {
  const [isDragging, setDragging] = useState(false);
  useEffect(() => {
    // Entering a child fires before leaving its parent, so a counter tracks the depth.
    let depth = 0;
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    const enter = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      depth += 1;
      setDragging(true);
    };
    const leave = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      depth = Math.max(0, depth - 1);
      if (depth === 0) setDragging(false);
    };
    const over = (event: DragEvent) => {
      if (hasFiles(event)) event.preventDefault();
    };
    const drop = (event: DragEvent) => {
      depth = 0;
      setDragging(false);
      if (!event.dataTransfer || !hasFiles(event)) return;
      event.preventDefault();
      onDrop(filesOfDrop(event.dataTransfer));
    };
    // A file that was copied in a file manager: what a drop is without a mouse.
    const paste = ({ clipboardData, target }: ClipboardEvent) => {
      const isText = target instanceof Element && target.closest("input, textarea") !== null;
      if (!isText && clipboardData?.types.includes("Files")) onDrop(filesOfDrop(clipboardData));
    };
    window.addEventListener("paste", paste);
    const handlers = { dragenter: enter, dragleave: leave, dragover: over, drop } as const;
    for (const [type, handler] of Object.entries(handlers)) window.addEventListener(type as "drop", handler);
    return () => {
      window.removeEventListener("paste", paste);
      for (const [type, handler] of Object.entries(handlers)) window.removeEventListener(type as "drop", handler);
    };
  }, [onDrop]);
  return isDragging;
}
