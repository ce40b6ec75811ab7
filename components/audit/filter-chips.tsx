"use client";

import { useQuery } from "@tanstack/react-query";
import { spanWords } from "@/components/runs/chart-window";
import { useNow } from "@/components/state/use-now";
import type { UrlPatch } from "@/components/state/use-url-params";
import { Button } from "@/components/ui/button";
import { FilterChip } from "@/components/ui/filter-chip";
import { auditFacetsQuery } from "@/lib/client/audit";
import { skillQuery } from "@/lib/client/skills";
import { actionLabel, type FilterKey, filterKeys, noFilters, readAuditFilters } from "./audit-filters";

type FilterChipsProps = { params: URLSearchParams; onChange: (patch: UrlPatch) => void };

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
const outcomeWords: Record<string, string> = { ok: "Done", refused: "Refused", failed: "Failed" };

/** What the list is narrowed to. */
export function FilterChips({ params, onChange }: FilterChipsProps) {
  const { data } = useQuery(auditFacetsQuery);
  const now = useNow();
  const { from, to } = readAuditFilters(params);
  const skill = params.get("skill") ?? "";
  const found = useQuery({ ...skillQuery(skill), enabled: skill !== "", retry: false });
  const around = params.get("around");
  const isFiltered = filterKeys.some((key) => params.get(key)) || around !== null;
  const wordsOf = (key: string, value: string): string => {
    if (key === "actor") return data?.actors.find(({ id }) => id === value)?.name ?? value;
    if (key === "action") return value.includes(".") ? actionLabel(value) : value;
    if (key === "outcome") return outcomeWords[value] ?? value;
    if (key === "skill") return found.data?.label ?? found.data?.name ?? value;
    return key === "version" ? value.slice(0, 7) : key === "run" || key === "session" ? value.slice(0, 8) : value;
  };
  return (
    <>
      {Object.entries(labels).map(([key, label]) => {
        const value = params.get(key);
        return value ? (
          <FilterChip key={key} label={label} value={wordsOf(key, value)} onRemove={() => onChange({ [key]: null })} />
        ) : null;
      })}
      {from || to ? (
        <FilterChip
          label="Time"
          value={timeWords(from, to, now ?? Date.now())}
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

function timeWords(from: string | undefined, to: string | undefined, now: number): string {
  const [start, end] = [Date.parse(from ?? ""), Date.parse(to ?? "")];
  if (Number.isNaN(start)) return `before ${spanWords(end, end, now).split(" to ")[0]}`;
  if (Number.isNaN(end)) return `since ${spanWords(start, start, now).split(" to ")[0]}`;
  return spanWords(start, end, now);
}
