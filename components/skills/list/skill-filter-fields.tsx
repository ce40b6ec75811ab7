import { sourceNames } from "@/components/skills/skill-labels";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { FilterChip } from "@/components/ui/filter-chip";
import { Select } from "@/components/ui/select";
import { type FilterKey, filterKeys, type SkillView } from "./use-skill-filters";

const labels: Record<FilterKey, string> = {
  source: "Source",
  class: "Class",
  state: "State",
  scope: "Scope",
  category: "Category",
  lifecycle: "Use",
};

const options: Record<Exclude<FilterKey, "category">, Record<string, string>> = {
  source: sourceNames,
  class: { safe: "safe", mutating: "mutating", dangerous: "dangerous" },
  state: { on: "Switched on", off: "Switched off", waits: "Waits for review" },
  scope: { manager: "Beside the server", host: "On a named host" },
  lifecycle: { active: "In use", stale: "Stale: unused for 30 days", archived: "Archived: unused for 90 days" },
};

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

/** The filters in force, each removable. */
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
          value={wordOf(key, value)}
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

function wordOf(key: FilterKey, value: string): string {
  return key === "category" ? value : (options[key][value] ?? value);
}
