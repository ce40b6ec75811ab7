import { useQuery } from "@tanstack/react-query";
import { DebouncedSearch } from "@/components/lists/debounced-search";
import { FilterSelect, noFilters } from "@/components/lists/filter-bar";
import { useMe } from "@/components/state/use-me";
import { useNow } from "@/components/state/use-now";
import type { UrlPatch } from "@/components/state/use-url-params";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { skillClasses } from "@/components/ui/class-chip";
import { Label } from "@/components/ui/field";
import { FilterChip } from "@/components/ui/filter-chip";
import { SegmentedControl } from "@/components/ui/segmented-control";
import { runStates, stateLooks } from "@/components/ui/state-chip";
import { RUN_FILTER_KEYS, type RunFilters } from "@/lib/client/runs";
import { skillQuery } from "@/lib/client/skills";
import { workersQuery } from "@/lib/client/workers";
import { spanLabel } from "./chart-window";

type RunFilterBarProps = { filters: RunFilters; onChange: (patch: UrlPatch) => void };

const states = runStates.map((state) => ({ value: state, label: stateLooks[state].label }));
const classes = skillClasses.map((name) => ({
  value: name,
  label: name.slice(0, 1).toUpperCase() + name.slice(1),
}));

export function RunFilterBar({ filters, onChange }: RunFilterBarProps) {
  const role = useMe()?.user.role;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SegmentedControl
        label="Runs of"
        value={filters.caller === "me" ? "me" : "all"}
        onValueChange={(value) => onChange({ caller: value === "me" ? "me" : null })}
        options={[
          { value: "all", label: "All" },
          { value: "me", label: "Mine" },
        ]}
      />
      <DebouncedSearch
        label="Skill name"
        value={filters.q ?? ""}
        onChange={(q) => onChange({ q })}
        className="w-56 max-md:w-full"
      />
      <FilterSelect name="state" label="State" options={states} className="w-44" />
      <FilterSelect name="class" label="Class" options={classes} className="w-36" />
      {role === "admin" ? <WorkerSelect /> : null}
      <span className="flex min-h-8 items-center gap-2 px-1">
        <Checkbox
          id="run-steps"
          checked={filters.steps === "true"}
          onCheckedChange={(checked) => onChange({ steps: checked === true ? "true" : null })}
        />
        <Label htmlFor="run-steps" className="font-normal">
          Pipeline steps
        </Label>
      </span>
      <Chips filters={filters} showsWorker={role !== "admin"} onChange={onChange} />
      {Object.keys(filters).length > 0 ? (
        <Button variant="ghost" onClick={() => onChange(noRunFilters)}>
          Clear
        </Button>
      ) : null}
    </div>
  );
}

function WorkerSelect() {
  const { data } = useQuery(workersQuery);
  const names = new Set(data?.items.map((worker) => worker.name));
  return (
    <FilterSelect
      name="worker"
      label="Worker"
      options={[...names].map((name) => ({ value: name, label: name }))}
      className="w-40"
    />
  );
}

type ChipsProps = RunFilterBarProps & { showsWorker: boolean };

const chips = [
  { key: "caller", label: "Started by" },
  { key: "worker", label: "Worker" },
  { key: "group", label: "Run group" },
  { key: "schedule", label: "Schedule" },
  { key: "parent", label: "Parent run" },
] as const;

/** Filters in the address that no control shows. */
function Chips({ filters, showsWorker, onChange }: ChipsProps) {
  const now = useNow();
  const { skill, caller, from, to } = filters;
  const others = chips.filter(({ key }) => (key === "caller" ? caller !== "me" : key !== "worker" || showsWorker));
  return (
    <>
      {from || to ? (
        <FilterChip
          label="Time"
          value={timeLabel(from, to, now ?? Date.now())}
          onRemove={() => onChange({ from: null, to: null })}
        />
      ) : null}
      {skill ? <SkillChip skill={skill} onRemove={() => onChange({ skill: null })} /> : null}
      {others.map(({ key, label }) =>
        filters[key] ? (
          <FilterChip key={key} label={label} value={filters[key]} onRemove={() => onChange({ [key]: null })} />
        ) : null,
      )}
    </>
  );
}

function SkillChip({ skill, onRemove }: { skill: string; onRemove: () => void }) {
  const { data } = useQuery(skillQuery(skill));
  return <FilterChip label="Skill" value={data?.label ?? data?.name ?? skill} onRemove={onRemove} />;
}

function timeLabel(from: string | undefined, to: string | undefined, now: number): string {
  const [start, end] = [Date.parse(from ?? ""), Date.parse(to ?? "")];
  if (Number.isNaN(start)) return `before ${spanLabel(end, end, now).split(" to ")[0]}`;
  if (Number.isNaN(end)) return `since ${spanLabel(start, start, now).split(" to ")[0]}`;
  return spanLabel(start, end, now);
}

export function readRunFilters(params: URLSearchParams): RunFilters {
  const filters: RunFilters = {};
  for (const key of RUN_FILTER_KEYS) {
    const value = params.get(key);
    if (value) filters[key] = value;
  }
  return filters;
}

export const noRunFilters: UrlPatch = noFilters(RUN_FILTER_KEYS);

/** Filters of the charts: without the state and time that are selected in the charts themselves. */
export function chartFilters({ state: _state, from: _from, to: _to, ...filters }: RunFilters): RunFilters {
  return filters;
}
