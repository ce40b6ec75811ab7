import { useMemo } from "react";
import { sourceNames } from "@/components/skills/skill-labels";
import { useUrlParams } from "@/components/state/use-url-params";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { FilterChip } from "@/components/ui/filter-chip";
import { Select } from "@/components/ui/select";
import type { SkillFilters } from "@/lib/client/skills";
import type { Skill } from "@/lib/skills/schema";

const labels: Record<FilterKey, string> = {
  source: "Source",
  class: "Class",
  state: "State",
  scope: "Scope",
  category: "Category",
  lifecycle: "Usage",
};

const options: Record<Exclude<FilterKey, "category">, Record<string, string>> = {
  source: sourceNames,
  class: { safe: "safe", mutating: "mutating", dangerous: "dangerous" },
  state: { on: "Switched on", off: "Switched off", waits: "Pending review" },
  scope: { manager: "Runs on any worker", host: "Runs on a named host" },
  lifecycle: { active: "Active", stale: "Stale (unused for 30 days)", archived: "Archived (unused for 90 days)" },
};

const MAX_CATEGORY_CHARS = 100;

type SkillFilterFieldsProps = { view: SkillView; categories: readonly string[] };

export function SkillFilterFields({ view, categories }: SkillFilterFieldsProps) {
  return (
    <div className="flex flex-col gap-3">
      {filterKeys.map((key) => (
        <Field key={key} label={labels[key]}>
          <Select
            value={view.chosen[key] ?? ""}
            onChange={(event) => view.set({ [key]: event.target.value })}
            options={[{ value: "", label: "Any" }, ...choicesOf(key, categories, view.chosen.category)]}
          />
        </Field>
      ))}
    </div>
  );
}

export function SkillFilterChips({ view }: { view: SkillView }) {
  const chosen = filterKeys.flatMap((key) =>
    view.chosen[key] === undefined ? [] : [{ key, value: view.chosen[key] }],
  );
  if (chosen.length === 0) return null;
  return (
    <div className="flex flex-wrap items-center gap-2">
      {chosen.map(({ key, value }) => (
        <FilterChip
          key={key}
          label={labels[key]}
          value={valueLabel(key, value)}
          onRemove={() => view.set({ [key]: null })}
        />
      ))}
      <Button size="sm" variant="ghost" onClick={view.clear}>
        Clear filters
      </Button>
    </div>
  );
}

function choicesOf(key: FilterKey, categories: readonly string[], chosen: string | undefined) {
  if (key !== "category") return Object.entries(options[key]).map(([value, label]) => ({ value, label }));
  const all = chosen === undefined || categories.includes(chosen) ? categories : [...categories, chosen];
  return all.map((category) => ({ value: category, label: category }));
}

function valueLabel(key: FilterKey, value: string): string {
  return key === "category" ? value : (options[key][value] ?? value);
}

export const filterKeys = ["source", "class", "state", "scope", "category", "lifecycle"] as const;
export type FilterKey = (typeof filterKeys)[number];

/** The state filter combines two API filters. */
const states: Record<string, SkillFilters> = {
  on: { enabled: true },
  off: { enabled: false },
  waits: { state: "pending" },
};

/** Whose skills are listed, as the toolbar offers it; all without a choice. */
export const owners = [
  { value: "", label: "All" },
  { value: "me", label: "Mine" },
  { value: "shared", label: "Shared" },
  { value: "org", label: "Organisation" },
] as const;

type OwnerChoice = (typeof owners)[number]["value"];

function ownerOf(value: string | null): OwnerChoice {
  return owners.find((owner) => owner.value === value)?.value ?? "";
}

export type SkillView = ReturnType<typeof useSkillFilters>;

export function useSkillFilters() {
  const [params, set] = useUrlParams();
  const query = params.toString();
  return useMemo(() => {
    const current = new URLSearchParams(query);
    const chosen = readChosen(current);
    const q = current.get("q") ?? "";
    const isBuiltin = current.get("builtin") === "true";
    const owner = ownerOf(current.get("owner"));
    return {
      q,
      chosen,
      owner,
      filters: { ...filtersOf(q, chosen), ...(owner === "" ? {} : { owner }), builtin: isBuiltin },
      isFiltered: q !== "" || isBuiltin || owner !== "" || Object.keys(chosen).length > 0,
      isBuiltin,
      layout: current.get("view") === "cards" ? ("cards" as const) : ("table" as const),
      isGrouped: current.get("group") === "category",
      set,
      clear: () =>
        set({ q: null, builtin: null, owner: null, ...Object.fromEntries(filterKeys.map((key) => [key, null])) }),
    };
  }, [query, set]);
}

/** Ignores invalid values in the address. */
function readChosen(params: URLSearchParams): Partial<Record<FilterKey, string>> {
  const chosen: Partial<Record<FilterKey, string>> = {};
  for (const key of filterKeys) {
    const value = params.get(key);
    if (value === null || value === "") continue;
    const isKnown = key === "category" ? value.length <= MAX_CATEGORY_CHARS : Object.hasOwn(options[key], value);
    if (isKnown) chosen[key] = value;
  }
  return chosen;
}

function filtersOf(q: string, { state, ...rest }: Partial<Record<FilterKey, string>>): SkillFilters {
  return { ...(q ? { q } : {}), ...(rest as SkillFilters), ...(state ? states[state] : {}) };
}

type SkillGroup = { category: string; skills: Skill[] };

/** Groups by category name; skills keep their order. */
export function groupByCategory(skills: readonly Skill[]): SkillGroup[] {
  const groups = new Map<string, Skill[]>();
  for (const skill of skills) groups.set(skill.category, [...(groups.get(skill.category) ?? []), skill]);
  return [...groups]
    .map(([category, members]) => ({ category, skills: members }))
    .sort((a, b) => a.category.localeCompare(b.category, "en"));
}
