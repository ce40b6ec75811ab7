"use client";

import { useQuery } from "@tanstack/react-query";
import type { UrlPatch } from "@/components/state/use-url-params";
import { Button } from "@/components/ui/button";
import { FilterChip } from "@/components/ui/filter-chip";
import { Input } from "@/components/ui/input";
import { Select, type SelectOption } from "@/components/ui/select";
import { auditFacetsQuery } from "@/lib/client/audit";
import { actionLabel, filterKeys } from "./audit-filters";

type AuditFilterBarProps = { params: URLSearchParams; onChange: (patch: UrlPatch) => void };

const outcomes = [
  { value: "", label: "Any outcome" },
  { value: "ok", label: "Done" },
  { value: "refused", label: "Refused" },
  { value: "failed", label: "Failed" },
];

export function AuditFilterBar({ params, onChange }: AuditFilterBarProps) {
  const { data } = useQuery(auditFacetsQuery);
  const isFiltered = filterKeys.some((key) => params.get(key));
  const pick = (key: string, label: string, options: readonly SelectOption[]) => (
    <span className="w-40 max-md:w-[calc(50%-0.25rem)]">
      <Select
        aria-label={label}
        options={withCurrent(options, params.get(key))}
        value={params.get(key) ?? ""}
        onChange={({ target }) => onChange({ [key]: target.value })}
      />
    </span>
  );
  const day = (key: "from" | "to", label: string) => (
    <span className="flex items-center gap-1.5 text-13 text-muted-foreground max-md:w-[calc(50%-0.25rem)]">
      <label htmlFor={`audit-${key}`}>{label}</label>
      <Input
        id={`audit-${key}`}
        type="date"
        value={params.get(key) ?? ""}
        onChange={({ target }) => onChange({ [key]: target.value })}
        className="w-36 max-md:min-w-0 max-md:flex-1"
      />
    </span>
  );
  return (
    <div className="flex flex-wrap items-center gap-2">
      {pick("actor", "Actor", [{ value: "", label: "Anybody" }, ...actorOptions(data?.actors ?? [])])}
      {pick("action", "Action", [
        { value: "", label: "Any action" },
        ...(data?.actions ?? []).map((action) => ({ value: action, label: actionLabel(action) })),
      ])}
      {pick("tool", "Tool", [
        { value: "", label: "Any tool" },
        ...(data?.tools ?? []).map((tool) => ({ value: tool, label: tool })),
      ])}
      {pick("outcome", "Outcome", outcomes)}
      {day("from", "From")}
      {day("to", "To")}
      {(["run", "skill"] as const).map((key) => {
        const value = params.get(key);
        return value ? (
          <FilterChip
            key={key}
            label={key === "run" ? "Run" : "Skill"}
            value={value}
            onRemove={() => onChange({ [key]: null })}
          />
        ) : null;
      })}
      {isFiltered ? (
        <Button variant="ghost" onClick={() => onChange(Object.fromEntries(filterKeys.map((key) => [key, null])))}>
          Clear
        </Button>
      ) : null}
    </div>
  );
}

/** A person acts by tokens too, as "Mara (ci)"; the shortest of the names is theirs. */
function actorOptions(actors: readonly { id: string; name: string }[]): SelectOption[] {
  const longestFirst = [...actors].sort((a, b) => b.name.length - a.name.length);
  const named = new Map(longestFirst.map(({ id, name }) => [id, name]));
  return [...named].map(([value, label]) => ({ value, label })).sort((a, b) => a.label.localeCompare(b.label));
}

/** What the address names stays chosen, also when it is no option (yet). */
function withCurrent(options: readonly SelectOption[], current: string | null): readonly SelectOption[] {
  if (!current || options.some(({ value }) => value === current)) return dedupe(options);
  return dedupe([...options, { value: current, label: current }]);
}

function dedupe(options: readonly SelectOption[]): SelectOption[] {
  return [...new Map(options.map((option) => [option.value, option])).values()];
}
