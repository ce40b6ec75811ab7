"use client";

import { useQuery } from "@tanstack/react-query";
import type { UrlPatch } from "@/components/state/use-url-params";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { Select, type SelectOption } from "@/components/ui/select";
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
  const pick = (key: TraceFilterKey, label: string, options: readonly SelectOption[]) => {
    const current = params.get(key) ?? "";
    const isKnown = current === "" || options.some(({ value }) => value === current);
    return (
      <span className="w-36 max-md:w-[calc(50%-0.25rem)]">
        <Select
          aria-label={label}
          options={[
            { value: "", label: `Any ${label.toLowerCase()}` },
            ...options,
            // What the address names stays chosen, also when it is no option (yet).
            ...(isKnown ? [] : [{ value: current, label: current }]),
          ]}
          value={current}
          onChange={({ target }) => onChange({ [key]: target.value })}
        />
      </span>
    );
  };
  const day = (key: "from" | "to", label: string) => (
    <span className="flex items-center gap-1.5 text-13 text-muted-foreground max-md:w-[calc(50%-0.25rem)]">
      <label htmlFor={`traces-${key}`}>{label}</label>
      <Input
        id={`traces-${key}`}
        type="date"
        value={params.get(key) ?? ""}
        onChange={({ target }) => onChange({ [key]: target.value })}
        className="w-36 max-md:min-w-0 max-md:flex-1"
      />
    </span>
  );
  return (
    <div className="flex flex-wrap items-center gap-2">
      {pick("skill", "Skill", skills)}
      {pick("kind", "Kind", optionsOf(kindWords))}
      {pick("surface", "Surface", optionsOf(surfaceWords))}
      {pick("outcome", "Outcome", optionsOf(outcomeLooks))}
      {pick("rating", "Rating", optionsOf(ratingWords))}
      {pick("source", "Source", SOURCES)}
      {day("from", "From")}
      {day("to", "To")}
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
