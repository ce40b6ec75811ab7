import { useInfiniteQuery } from "@tanstack/react-query";
import { Blocks, LayoutGrid, ListFilter, Package, Rows3 } from "lucide-react";
import { DebouncedSearch } from "@/components/lists/debounced-search";
import { Button } from "@/components/ui/button";
import { CountBadge } from "@/components/ui/count-badge";
import { Popover, PopoverContent, PopoverTrigger } from "@/components/ui/popover";
import { SegmentedControl } from "@/components/ui/segmented-control";
import { skillsQuery } from "@/lib/client/skills";
import { owners, SkillFilterFields, type SkillView } from "./skill-filters";

type SkillsToolbarProps = { view: SkillView; categories: readonly string[] };

const layouts = [
  { value: "table", label: "Table", icon: Rows3 },
  { value: "cards", label: "Cards", icon: LayoutGrid },
] as const;

export function SkillsToolbar({ view, categories }: SkillsToolbarProps) {
  const count = Object.keys(view.chosen).length;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <DebouncedSearch label="Search skills" value={view.q} onChange={(q) => view.set({ q })} />
      <SegmentedControl
        label="Whose skills"
        value={view.owner}
        onValueChange={(owner) => view.set({ owner })}
        options={owners}
        className="max-sm:order-last"
      />
      <Popover>
        <PopoverTrigger asChild>
          <Button aria-label={count > 0 ? `Filter, ${count} active` : "Filter"}>
            <ListFilter aria-hidden />
            <span className="max-sm:hidden">Filter</span>
          </Button>
        </PopoverTrigger>
        <PopoverContent aria-label="Filter skills" className="w-64">
          <SkillFilterFields view={view} categories={categories} />
        </PopoverContent>
      </Popover>
      <Button
        aria-pressed={view.isGrouped}
        aria-label="Group by category"
        title="Group by category"
        onClick={() => view.set({ group: view.isGrouped ? null : "category" })}
        className={view.isGrouped ? "bg-accent" : ""}
      >
        <Blocks aria-hidden />
        <span className="max-sm:sr-only">Group</span>
      </Button>
      <SegmentedControl
        label="View"
        iconsOnly
        value={view.layout}
        onValueChange={(layout) => view.set({ view: layout === "table" ? null : layout })}
        options={layouts}
      />
      <BuiltinChip view={view} />
    </div>
  );
}

/**
 * Toggles between built-in and other skills. The count includes the search and the filters, so that users notice matching
 * built-ins.
 */
export function BuiltinChip({ view }: { view: SkillView }) {
  const { data } = useInfiniteQuery(skillsQuery({ ...view.filters, builtin: true }));
  const count = data?.pages.reduce((sum, page) => sum + page.items.length, 0) ?? 0;
  if (count === 0 && !view.isBuiltin) return null;
  return (
    <Button
      aria-pressed={view.isBuiltin}
      onClick={() => view.set({ builtin: view.isBuiltin ? null : "true" })}
      className={view.isBuiltin ? "bg-accent" : ""}
    >
      <Package aria-hidden />
      Built-in
      <CountBadge count={count} label="skills" className={view.isBuiltin ? "bg-background" : ""} />
    </Button>
  );
}
