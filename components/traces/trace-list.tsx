"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Footprints } from "lucide-react";
import { EndOfList } from "@/components/runs/end-of-list";
import { useRowKeys } from "@/components/runs/use-row-keys";
import { QueryState } from "@/components/state/query-state";
import { useUrlParams } from "@/components/state/use-url-params";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { traceFiguresQuery, tracePagesQuery } from "@/lib/client/traces";
import { TraceDrawer } from "./trace-drawer";
import { TraceFigures } from "./trace-figures";
import { TraceFilterBar } from "./trace-filter-bar";
import { noTraceFilters, readTraceFilters } from "./trace-filters";
import { TraceTable } from "./trace-table";

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
