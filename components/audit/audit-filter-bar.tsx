"use client";

import { useQuery } from "@tanstack/react-query";
import { ListFilter } from "lucide-react";
import { useState } from "react";
import { DebouncedSearch } from "@/components/lists/debounced-search";
import { withCurrent } from "@/components/lists/filter-bar";
import { spanLabel } from "@/components/runs/list/chart-window";

import { useShortcut } from "@/components/shell/use-shortcut";
import { useNow } from "@/components/state/use-now";
import type { UrlPatch } from "@/components/state/use-url-params";
import { Button } from "@/components/ui/button";
import { CountBadge } from "@/components/ui/count-badge";
import { Field } from "@/components/ui/field";
import { FilterChip } from "@/components/ui/filter-chip";
import { Input } from "@/components/ui/input";
import { Popover, PopoverContent, PopoverTrigger } from "@/components/ui/popover";
import { Select, type SelectOption } from "@/components/ui/select";
import { auditFacetsQuery } from "@/lib/client/audit";
import { skillQuery } from "@/lib/client/skills";
import { actionLabel, capital } from "./action-labels";
import {
  decisionLabels,
  type FilterKey,
  filterKeys,
  noFilters,
  outcomeLabels,
  readAuditFilters,
} from "./audit-filters";
import { dayKey } from "./group-by-day";

const labels = {
  actor: "Actor",
  action: "Action",
  tool: "Tool",
  outcome: "Outcome",
  class: "Class",
  decision: "Decision",
  device: "Device",
  skill: "Skill",
  version: "Version",
  run: "Run",
  session: "Session",
} satisfies Partial<Record<FilterKey, string>>;

type AuditFilterBarProps = { params: URLSearchParams; onChange: (patch: UrlPatch) => void };

export function AuditFilterBar({ params, onChange }: AuditFilterBarProps) {
  const [isOpen, setOpen] = useState(false);
  const set = filterKeys.filter((key) => key !== "q" && params.get(key)).length;
  // A position in the list is meaningless under other filters.
  const change = (patch: UrlPatch) => onChange({ ...patch, around: null });
  useShortcut("f", "Open the filters", () => setOpen(true));
  return (
    <>
      <DebouncedSearch
        label="Search events"
        value={params.get("q") ?? ""}
        onChange={(q) => change({ q })}
        className="w-64 max-md:w-full"
      />
      <Popover open={isOpen} onOpenChange={setOpen}>
        <PopoverTrigger asChild>
          <Button>
            <ListFilter aria-hidden />
            Filters
            {set > 0 ? <CountBadge count={set} label="set" /> : null}
          </Button>
        </PopoverTrigger>
        <PopoverContent aria-label="Filters" className="w-88">
          <Fields params={params} onChange={change} />
        </PopoverContent>
      </Popover>
      <FilterChips params={params} onChange={change} />
    </>
  );
}

const labelOfOutcome = (value: string) => outcomeLabels[value] ?? value;
const labelOfDecision = (value: string) => decisionLabels[value] ?? value;

function Fields({ params, onChange }: AuditFilterBarProps) {
  const { data } = useQuery(auditFacetsQuery);
  const pick = (key: FilterKey, label: string, options: readonly SelectOption[]) => (
    <Field label={label}>
      <Select
        options={withCurrent(options, params.get(key))}
        value={params.get(key) ?? ""}
        onChange={({ target }) => onChange({ [key]: target.value })}
      />
    </Field>
  );
  const optionsOf = (any: string, values: readonly string[] = [], labelOf = (value: string) => value) => [
    { value: "", label: any },
    ...values.map((value) => ({ value, label: labelOf(value) })),
  ];
  const day = (key: "from" | "to", label: string) => (
    <Field label={label}>
      <Input type="date" value={dayOf(params.get(key))} onChange={({ target }) => onChange({ [key]: target.value })} />
    </Field>
  );
  return (
    <div className="grid max-h-[70dvh] grid-cols-2 gap-3 overflow-y-auto p-0.5">
      {pick("actor", "Actor", [
        { value: "", label: "Any actor" },
        ...(data?.actors ?? []).map(({ id, name }) => ({ value: id, label: name })),
      ])}
      {pick("action", "Action", optionsOf("Any action", data?.actions, actionLabel))}
      {pick("tool", "Tool", optionsOf("Any tool", data?.tools))}
      {pick("outcome", "Outcome", optionsOf("Any outcome", Object.keys(outcomeLabels), labelOfOutcome))}
      {pick("class", "Class", optionsOf("Any class", data?.classes, capital))}
      {pick("decision", "Decision", optionsOf("Any decision", data?.decisions, labelOfDecision))}
      {pick("device", "Device", optionsOf("Any device", data?.devices))}
      <span />
      {day("from", "From")}
      {day("to", "To")}
    </div>
  );
}

function dayOf(text: string | null): string {
  const time = Date.parse(text ?? "");
  return Number.isNaN(time) ? "" : /^\d{4}-\d\d-\d\d$/.test(text ?? "") ? (text ?? "") : dayKey(time);
}

function FilterChips({ params, onChange }: { params: URLSearchParams; onChange: (patch: UrlPatch) => void }) {
  const { data } = useQuery(auditFacetsQuery);
  const now = useNow();
  const { from, to } = readAuditFilters(params);
  const skill = params.get("skill") ?? "";
  const found = useQuery({ ...skillQuery(skill), enabled: skill !== "", retry: false });
  const around = params.get("around");
  const isFiltered = filterKeys.some((key) => params.get(key)) || around !== null;
  const valueLabel = (key: string, value: string): string => {
    if (key === "actor") return data?.actors.find(({ id }) => id === value)?.name ?? value;
    if (key === "action") return value.includes(".") ? actionLabel(value) : value;
    if (key === "outcome") return labelOfOutcome(value);
    if (key === "decision") return labelOfDecision(value);
    if (key === "class") return capital(value);
    if (key === "skill") return found.data?.label ?? found.data?.name ?? value;
    return key === "version" ? value.slice(0, 7) : key === "run" || key === "session" ? value.slice(0, 8) : value;
  };
  return (
    <>
      {Object.entries(labels).map(([key, label]) => {
        const value = params.get(key);
        return value ? (
          <FilterChip
            key={key}
            label={label}
            value={valueLabel(key, value)}
            onRemove={() => onChange({ [key]: null })}
          />
        ) : null;
      })}
      {from || to ? (
        <FilterChip
          label="Time"
          value={describeRange(from, to, now ?? Date.now())}
          onRemove={() => onChange({ from: null, to: null })}
        />
      ) : null}
      {around === null ? null : (
        <FilterChip
          label="Around"
          value={/^\d+$/.test(around) ? `event ${around}` : around}
          onRemove={() => onChange({ around: null })}
        />
      )}
      {isFiltered ? (
        <Button variant="ghost" onClick={() => onChange(noFilters)}>
          Clear
        </Button>
      ) : null}
    </>
  );
}

function describeRange(from: string | undefined, to: string | undefined, now: number): string {
  const [start, end] = [Date.parse(from ?? ""), Date.parse(to ?? "")];
  if (Number.isNaN(start)) return `before ${spanLabel(end, end, now).split(" to ")[0]}`;
  if (Number.isNaN(end)) return `since ${spanLabel(start, start, now).split(" to ")[0]}`;
  return spanLabel(start, end, now);
}
