"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Footprints } from "lucide-react";
import { dayBoundary } from "@/components/audit/group-by-day";
import { EndOfList } from "@/components/lists/end-of-list";
import { FilterDay, FilterSelect } from "@/components/lists/filter-bar";
import { useRowKeys } from "@/components/lists/use-row-keys";
import { QueryState } from "@/components/state/query-state";
import { type UrlPatch, useUrlParams } from "@/components/state/use-url-params";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { formatDuration } from "@/components/ui/format-time";
import { RelativeTime } from "@/components/ui/relative-time";
import type { SelectOption } from "@/components/ui/select";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import {
  TRACE_FILTER_KEYS,
  type Trace,
  type TraceFilterKey,
  type TraceFilters,
  traceFiguresQuery,
  tracePagesQuery,
} from "@/lib/client/traces";
import { TraceDrawer } from "./trace-drawer";
import { TraceFigures } from "./trace-figures";
import { kindWords, outcomeLooks, ratingWords, skillWords, surfaceWords } from "./trace-labels";
import { TraceRating } from "./trace-rating";

/** Takes every filter out of the address. */
const noTraceFilters: UrlPatch = Object.fromEntries(TRACE_FILTER_KEYS.map((key) => [key, null]));

const SOURCES = ["authored", "imported", "catalog", "integration", "worker"].map((value) => ({
  value,
  label: value.slice(0, 1).toUpperCase() + value.slice(1),
}));

type TraceFilterBarProps = { params: URLSearchParams; onChange: (patch: UrlPatch) => void };

/** Every use of a skill that the person may see, from wherever it came; the address holds all that is chosen. */
export function TraceList() {
  const [params, setParams] = useUrlParams();
  const filters = readTraceFilters(params);
  const query = useInfiniteQuery(tracePagesQuery(filters));
  const traces = query.data?.pages.flatMap((page) => page.items) ?? [];
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
      <TraceFilterBar params={params} onChange={setParams} />
      <FiguresOfSkills filters={filters} onPick={(skill) => setParams({ skill })} />
      <QueryState
        query={query}
        errorTitle="The traces could not be loaded."
        isEmpty={() => traces.length === 0}
        empty={
          isFiltered ? (
            <EmptyState
              title="No trace fits these filters"
              action={<Button onClick={() => setParams(noTraceFilters)}>Show all traces</Button>}
            />
          ) : (
            <EmptyState
              icon={Footprints}
              title="No skill has been used yet"
              description="Each run and each playbook that an agent loads is listed here, with what came of it."
            />
          )
        }
      >
        {() => (
          <div>
            <TraceTable traces={traces} active={active} onOpen={open} />
            <EndOfList query={query} endText="That is every trace that is kept." />
          </div>
        )}
      </QueryState>
      <TraceDrawer id={params.get("trace")} onClose={() => open(null)} />
    </>
  );
}

type FiguresOfSkillsProps = { filters: ReturnType<typeof readTraceFilters>; onPick: (skillId: string) => void };

function FiguresOfSkills({ filters, onPick }: FiguresOfSkillsProps) {
  const { data } = useQuery(traceFiguresQuery(filters, "skill"));
  if (!data || data.items.length === 0) return null;
  return (
    <details className="rounded-md border">
      <summary className="cursor-pointer px-4 py-2 text-13">
        Figures of {data.items.length} {data.items.length === 1 ? "skill" : "skills"}
        {data.isPartial ? ", of the newest uses" : `, of the last ${data.days} days`}
      </summary>
      <TraceFigures
        label="Figures by skill"
        head="Skill"
        items={data.items}
        nameOf={({ skill }) => skill.name ?? "A skill you do not see"}
        onPick={({ skill }) => onPick(skill.id)}
      />
    </details>
  );
}

function TraceFilterBar({ params, onChange }: TraceFilterBarProps) {
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

/** The address's filters as the API takes them; days become moments of the reader's zone. */
function readTraceFilters(params: URLSearchParams): TraceFilters {
  const filters: TraceFilters = {};
  for (const key of TRACE_FILTER_KEYS) {
    const raw = params.get(key);
    const value = raw && (key === "from" || key === "to") ? dayBoundary(raw, key) : raw;
    if (value) filters[key] = value;
  }
  return filters;
}

type TraceTableProps = { traces: readonly Trace[]; active: number; onOpen: (id: string) => void };

export function TraceTable({ traces, active, onOpen }: TraceTableProps) {
  return (
    <Table label="Traces">
      <TableHead>
        <tr>
          <TableHeader>Skill</TableHeader>
          <TableHeader className="max-md:hidden">Kind</TableHeader>
          <TableHeader className="max-md:hidden">Surface</TableHeader>
          <TableHeader>Outcome</TableHeader>
          <TableHeader align="right" className="max-lg:hidden">
            Duration
          </TableHeader>
          <TableHeader className="max-lg:hidden">Person</TableHeader>
          <TableHeader align="right" className="max-md:hidden">
            When
          </TableHeader>
          <TableHeader>Rating</TableHeader>
        </tr>
      </TableHead>
      <TableBody>
        {traces.map((trace, index) => (
          <TableRow key={trace.id} active={index === active} data-row-index={index} className="relative">
            <TableCell className="max-w-72 py-1.5 max-md:w-full max-md:max-w-0">
              {/* The button covers its row, so that the whole row can be pressed. */}
              <button
                type="button"
                onClick={() => onOpen(trace.id)}
                className="block max-w-full truncate font-medium after:absolute after:inset-0 hover:underline"
              >
                {skillWords(trace.skill)}
              </button>
              <span className="block truncate text-muted-foreground text-xs" title={trace.detail}>
                {wordsBelow(trace)}
              </span>
              <span className="block truncate text-muted-foreground text-xs md:hidden">
                {surfaceWords[trace.surface]}, <RelativeTime value={trace.at} />
              </span>
            </TableCell>
            <TableCell className="max-md:hidden">{kindWords[trace.kind]}</TableCell>
            <TableCell className="max-md:hidden">{surfaceWords[trace.surface]}</TableCell>
            <TableCell>
              <Badge tone={outcomeLooks[trace.outcome].tone}>{outcomeLooks[trace.outcome].label}</Badge>
            </TableCell>
            <TableCell numeric muted className="max-lg:hidden">
              {trace.durationMs === null ? "–" : formatDuration(trace.durationMs)}
            </TableCell>
            <TableCell className="max-w-40 truncate max-lg:hidden">
              {trace.person.name ?? "Somebody who left"}
            </TableCell>
            <TableCell numeric muted className="max-md:hidden">
              <RelativeTime value={trace.at} />
            </TableCell>
            <TableCell>
              <TraceRating trace={trace} />
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

/** The version, and what the outcome beside it does not say. */
function wordsBelow({ versionNumber, kind, outcome, detail }: Trace): string {
  const version = versionNumber === null ? [] : [`Version ${versionNumber}`];
  return [...version, ...(kind === "executable" && outcome === "ok" ? [] : [detail])].join(". ");
}
