"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Footprints } from "lucide-react";
import { capital } from "@/components/audit/action-labels";
import { type Column, DataTable, timeColumn } from "@/components/lists/data-table";
import { FilterBar, FilterDates, FilterSelect, noFilters, readFilters } from "@/components/lists/filter-bar";
import { itemsOf, List } from "@/components/lists/list-section";
import { useRowKeys } from "@/components/lists/use-list-keys";
import { sourceNames } from "@/components/skills/skill-labels";
import { useUrlParams } from "@/components/state/use-url-params";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { deferredUntil } from "@/components/ui/deferred/deferred";
import { EmptyState } from "@/components/ui/empty-state";
import { formatDuration } from "@/components/ui/format-time";
import { RelativeTime } from "@/components/ui/relative-time";
import type { SelectOption } from "@/components/ui/select";
import type { Trace } from "@/lib/agent/traces/schema";
import {
  TRACE_FILTER_KEYS,
  type TraceFilterKey,
  type TraceFilters,
  traceFiguresQuery,
  tracePagesQuery,
} from "@/lib/client/traces";
import { TraceFigures } from "./trace-figures";
import { kindLabels, outcomeBadge, outcomeBadges, ratingLabels, skillLabel, surfaceLabels } from "./trace-labels";
import { TraceRating } from "./trace-rating";

const TraceDrawer = deferredUntil(
  async () => (await import("./trace-drawer")).TraceDrawer,
  ({ id }) => id !== null,
);

export function TraceList() {
  const [params, setParams] = useUrlParams();
  const filters = readFilters(params, TRACE_FILTER_KEYS);
  const query = useInfiniteQuery(tracePagesQuery(filters));
  const traces = itemsOf(query.data);
  const open = (id: string | null) => setParams({ trace: id });
  const active = useRowKeys({
    count: traces.length,
    noun: "trace",
    ids: traces.map(({ id }) => id),
    onOpen: (index) => open(traces[index]?.id ?? null),
  });
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <>
      <TraceFilterBar />
      <FiguresOfSkills filters={filters} onPick={(skill) => setParams({ skill })} />
      <List
        query={query}
        errorTitle="The traces could not be loaded."
        endText="End of list"
        empty={
          isFiltered ? (
            <EmptyState
              title="No matching traces"
              action={<Button onClick={() => setParams(noFilters(TRACE_FILTER_KEYS))}>Show all traces</Button>}
            />
          ) : (
            <EmptyState
              icon={Footprints}
              title="No traces yet"
              description="Each run and each playbook that an agent loads appears here with its outcome."
            />
          )
        }
      >
        {(rows) => <TraceTable traces={rows} active={active} onOpen={open} />}
      </List>
      <TraceDrawer id={params.get("trace")} onClose={() => open(null)} />
    </>
  );
}

function FiguresOfSkills({ filters, onPick }: { filters: TraceFilters; onPick: (skillId: string) => void }) {
  const { data } = useQuery(traceFiguresQuery(filters, "skill"));
  if (!data || data.items.length === 0) return null;
  return (
    <details className="rounded-md border">
      <summary className="cursor-pointer px-4 py-2 text-13">
        Statistics of {data.items.length} {data.items.length === 1 ? "skill" : "skills"}
        {data.isPartial ? ", newest uses only" : `, last ${data.days} days`}
      </summary>
      <TraceFigures
        label="Statistics by skill"
        head="Skill"
        items={data.items}
        nameOf={({ skill }) => skillLabel(skill)}
        onPick={({ skill }) => onPick(skill.id)}
      />
    </details>
  );
}

function TraceFilterBar() {
  const { data } = useQuery(traceFiguresQuery({}, "skill"));
  const skills = (data?.items ?? []).map(({ skill }) => ({
    value: skill.id,
    label: skill.label ?? skill.name ?? skill.id,
  }));
  const pick = (name: TraceFilterKey, label: string, options: readonly SelectOption[]) => (
    <FilterSelect name={name} label={label} options={options} className="w-34.5" />
  );
  return (
    <FilterBar keys={TRACE_FILTER_KEYS}>
      {pick("skill", "Skill", skills)}
      {pick("kind", "Type", optionsOf(kindLabels))}
      {pick("surface", "Channel", optionsOf(surfaceLabels))}
      {pick("outcome", "Outcome", optionsOf(outcomeBadges))}
      {pick("rating", "Rating", optionsOf(ratingLabels))}
      {pick("source", "Source", optionsOf(sourceNames))}
      <FilterDates />
    </FilterBar>
  );
}

function optionsOf(words: Record<string, string | { label: string }>): SelectOption[] {
  return Object.entries(words).map(([value, word]) => ({
    value,
    label: typeof word === "string" ? word : word.label,
  }));
}

type TraceTableProps = { traces: readonly Trace[]; active: number; onOpen: (id: string) => void };

export function TraceTable({ traces, active, onOpen }: TraceTableProps) {
  const columns: readonly Column<Trace>[] = [
    {
      header: "Skill",
      cellClassName: "max-w-72 py-1.5 max-md:w-full max-md:max-w-0",
      cell: (trace) => (
        <>
          {/* The button covers its row, so that the whole row is clickable. */}
          <button
            type="button"
            onClick={() => onOpen(trace.id)}
            title={trace.skill?.name ?? undefined}
            className="block max-w-full truncate font-medium after:absolute after:inset-0 hover:underline"
          >
            {skillLabel(trace.skill)}
          </button>
          <span className="line-clamp-6 text-muted-foreground text-xs" title={trace.detail}>
            {subtitleOf(trace)}
          </span>
          <span className="block truncate text-muted-foreground text-xs md:hidden">
            {surfaceLabels[trace.surface]}, <RelativeTime value={trace.at} />
          </span>
        </>
      ),
    },
    ...factColumns,
  ];
  return (
    <DataTable
      label="Traces"
      rows={traces}
      rowId={({ id }) => id}
      columns={columns}
      rowProps={(_, index) => ({ active: index === active, "data-row-index": index, className: "relative" })}
    />
  );
}

const factColumns: readonly Column<Trace>[] = [
  { header: "Type", className: "max-md:hidden", cell: ({ kind }) => kindLabels[kind] },
  { header: "Channel", className: "max-md:hidden", cell: ({ surface }) => surfaceLabels[surface] },
  {
    header: "Outcome",
    cell: (trace) => {
      const { label, tone } = outcomeBadge(trace);
      return <Badge tone={tone}>{label}</Badge>;
    },
  },
  {
    header: "Duration",
    numeric: true,
    muted: true,
    className: "max-lg:hidden",
    cell: ({ durationMs }) => (durationMs === null ? "–" : formatDuration(durationMs)),
  },
  {
    header: "Person",
    className: "max-lg:hidden",
    cellClassName: "max-w-40 truncate",
    cell: ({ person }) => person.name ?? "A former user",
  },
  timeColumn("When", ({ at }) => at, { numeric: true, className: "max-md:hidden" }),
  { header: "Rating", className: "max-md:hidden", cell: (trace) => <TraceRating trace={trace} /> },
];

/** The version, and the detail unless the outcome tells it. */
function subtitleOf({ versionNumber, kind, outcome, detail }: Trace): string {
  const version = versionNumber === null ? [] : [`Version ${versionNumber}`];
  const isTold = outcome === "ok" || (kind === "executable" && outcome === "open");
  return [...version, ...(isTold ? [] : [capital(detail)])].join(" · ");
}
