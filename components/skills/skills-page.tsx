"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { ListOrdered } from "lucide-react";
import Link from "next/link";
import { useCallback, useEffect, useMemo, useState } from "react";
import { Page } from "@/components/shell/page";
import { Button } from "@/components/ui/button";
import { skillsQuery } from "@/lib/client/skills";
import { BulkBar } from "./bulk-bar";
import { groupByCategory } from "./group-by-category";
import { ImportArea } from "./import/import-area";
import { useImportDrawer } from "./import/use-import-drawer";
import { NewSkillDialog } from "./new-skill-dialog";
import { SkillFilterChips } from "./skill-filter-fields";
import { SkillList } from "./skill-list";
import { SkillsToolbar } from "./skills-toolbar";
import { useSkillFilters } from "./use-skill-filters";
import { useSkillKeys } from "./use-skill-keys";

const none: ReadonlySet<string> = new Set();

export function SkillsPage() {
  const view = useSkillFilters();
  const importDrawer = useImportDrawer();
  const [creating, setCreating] = useState(false);
  const [activeId, setActiveId] = useState<string | null>(null);
  const [selected, setSelected] = useState(none);

  const query = useInfiniteQuery(skillsQuery(view.filters));
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const loaded = useMemo(() => query.data?.pages.flatMap((page) => page.items) ?? [], [query.data]);
  const shown = useMemo(
    () => (view.isGrouped ? groupByCategory(loaded).flatMap((group) => group.skills) : loaded),
    [loaded, view.isGrouped],
  );
  const categories = useMemo(() => [...new Set(loaded.map((skill) => skill.category))].sort(), [loaded]);
  const chosen = useMemo(() => shown.filter((skill) => selected.has(skill.id)), [shown, selected]);

  const select = useCallback((id: string, isSelected: boolean) => {
    setSelected((before) => {
      const next = new Set(before);
      if (isSelected) next.add(id);
      else next.delete(id);
      return next;
    });
  }, []);
  useSkillKeys({ skills: shown, activeId, selected, onSelect: select });

  // Groups are whole or they mislead: with grouping on, all pages are fetched.
  useEffect(() => {
    if (view.isGrouped && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [view.isGrouped, hasNextPage, isFetchingNextPage, fetchNextPage]);

  return (
    <Page
      title="My skills"
      description="What you own, and what the organisation shares with you."
      actions={
        <Button asChild variant="ghost">
          <Link href="/collections">
            <ListOrdered aria-hidden />
            Collections
          </Link>
        </Button>
      }
    >
      <ImportArea drawer={importDrawer} />
      <NewSkillDialog open={creating} onOpenChange={setCreating} />
      <BulkBar skills={chosen} onDone={() => setSelected(none)} />
      <SkillsToolbar
        view={view}
        categories={categories}
        onImport={importDrawer.open}
        onCreate={() => setCreating(true)}
      />
      <SkillFilterChips view={view} />
      <SkillList
        query={query}
        view={view}
        skills={shown}
        activeId={activeId}
        selected={selected}
        onActivate={setActiveId}
        onSelect={select}
        onSelectAll={(all) => setSelected(all ? new Set(shown.map((skill) => skill.id)) : none)}
        onImport={importDrawer.open}
        onCreate={() => setCreating(true)}
      />
    </Page>
  );
}
