"use client";

import { useQuery } from "@tanstack/react-query";
import { FilterDay, FilterSelect } from "@/components/state/address-filters";
import type { UrlPatch } from "@/components/state/use-url-params";
import { Button } from "@/components/ui/button";
import type { SelectOption } from "@/components/ui/select";
import { TRACE_FILTER_KEYS, type TraceFilterKey, traceFiguresQuery } from "@/lib/client/traces";
import { noTraceFilters } from "./trace-filters";
import { kindWords, outcomeLooks, ratingWords, surfaceWords } from "./trace-words";

const SOURCES = ["authored", "imported", "catalog", "integration", "worker"].map((value) => ({
  value,
  label: value.slice(0, 1).toUpperCase() + value.slice(1),
}));

type TraceFilterBarProps = { params: URLSearchParams; onChange: (patch: UrlPatch) => void };

export function TraceFilterBar({ params, onChange }: TraceFilterBarProps) {
  const { data } = useQuery(traceFiguresQuery({}, "skill"));
  const skills = (data?.items ?? []).map(({ skill }) => ({ value: skill.id, label: skill.name ?? skill.id }));
  const address = { params, onChange };
  const pick = (key: TraceFilterKey, label: string, options: readonly SelectOption[]) => (
    <FilterSelect {...address} name={key} label={label} options={options} className="w-36" />
  );
  return (
    <div className="flex flex-wrap items-center gap-2">
      {pick("skill", "Skill", skills)}
      {pick("kind", "Kind", optionsOf(kindWords))}
      {pick("surface", "Surface", optionsOf(surfaceWords))}
      {pick("outcome", "Outcome", optionsOf(outcomeLooks))}
      {pick("rating", "Rating", optionsOf(ratingWords))}
      {pick("source", "Source", SOURCES)}
      <FilterDay {...address} name="from" label="From" of="traces" />
      <FilterDay {...address} name="to" label="To" of="traces" />
      {TRACE_FILTER_KEYS.some((key) => params.get(key)) ? (
        <Button variant="ghost" onClick={() => onChange(noTraceFilters)}>
          Clear
        </Button>
      ) : null}
    </div>
  );
}

function optionsOf(words: Record<string, string | { label: string }>): SelectOption[] {
  return Object.entries(words).map(([value, word]) => ({
    value,
    label: typeof word === "string" ? word : word.label,
  }));
}
