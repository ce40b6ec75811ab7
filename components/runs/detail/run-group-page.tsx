"use client";

import { queryOptions, useQuery } from "@tanstack/react-query";
import { Server } from "lucide-react";
import Link from "next/link";
import { isObject } from "@/components/json/diff-json";
import { type Column, DataTable } from "@/components/lists/data-table";
import { useCrumbs } from "@/components/shell/crumbs";
import { Page } from "@/components/shell/page";
import { QueryState } from "@/components/state/query-state";
import { Badge } from "@/components/ui/badge";
import { EmptyState } from "@/components/ui/empty-state";
import { StateChip } from "@/components/ui/state-chip";
import { api, listOf, withQuery } from "@/lib/client/api";
import { hasEnded } from "@/lib/client/runs";
import type { Run } from "@/lib/runner/schema";
import { Took } from "./run-times";

const soonMs = 1_500;

function groupQuery(groupId: string) {
  return queryOptions({
    queryKey: ["runs", "group", groupId],
    queryFn: async ({ signal }) => {
      const page = await api(withQuery("/api/runs", { group: groupId, limit: 100 }), {
        shape: listOf<{ items: Run[] }>(),
        signal,
      });
      return [...page.items].sort((a, b) => (edgeOf(a) < edgeOf(b) ? -1 : 1));
    },
    refetchInterval: ({ state }) => (state.data?.every((run) => hasEnded(run.state)) ? false : soonMs),
  });
}

const edgeOf = (run: Run) => run.target?.name ?? run.worker?.name ?? "";

export function RunGroupPage({ groupId }: { groupId: string }) {
  const query = useQuery(groupQuery(groupId));
  const runs = query.data ?? [];
  const name = runs[0] ? (runs[0].skill.label ?? runs[0].skill.name) : "Runs";
  const ended = runs.filter((run) => hasEnded(run.state)).length;
  useCrumbs([{ label: "Runs", href: "/runs" }, { label: `${name} on several edges` }]);
  return (
    <Page
      title={runs.length === 0 ? name : `${name} on ${runs.length} ${runs.length === 1 ? "edge" : "edges"}`}
      description={runs.length === 0 ? "" : `${ended} of ${runs.length} finished.`}
      width="full"
    >
      <QueryState
        query={query}
        errorTitle="The runs could not be loaded."
        isEmpty={(found) => found.length === 0}
        empty={
          <EmptyState
            icon={Server}
            title="Run group not found"
            description="It does not exist, or you may not see its runs."
          />
        }
      >
        {(found) => (
          <div className="flex flex-col gap-8">
            <DataTable label="Runs on each edge" rows={found} rowId={({ id }) => id} columns={edgeColumns} />
            <ResultTable runs={found} />
          </div>
        )}
      </QueryState>
    </Page>
  );
}

const edgeColumns: readonly Column<Run>[] = [
  {
    header: "Edge",
    cell: (run) => (
      <Link href={`/runs/${run.id}`} className="font-medium hover:underline">
        {edgeOf(run)}
      </Link>
    ),
  },
  {
    header: "State",
    cell: (run) => (
      <span className="flex flex-wrap items-center gap-1.5">
        <StateChip state={run.state} />
        {run.state === "queued" && run.target?.online === false ? (
          <span className="text-muted-foreground text-xs">Waiting: the edge is offline</span>
        ) : null}
      </span>
    ),
  },
  {
    header: "Error",
    muted: true,
    className: "max-md:hidden",
    cellClassName: "max-w-96 truncate",
    cellTitle: (run) => run.error?.message ?? "",
    cell: (run) => run.error?.message ?? "–",
  },
  { header: "Duration", numeric: true, cell: (run) => <Took run={run} /> },
];

function ResultTable({ runs }: { runs: readonly Run[] }) {
  const rows = sideBySide(runs);
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby="results">
      <h2 id="results" className="mb-2 text-sm">
        Results side by side
      </h2>
      <DataTable
        label="Results side by side"
        rows={rows}
        rowId={({ field }) => field}
        columns={[
          {
            header: "Field",
            cellClassName: "align-top",
            cell: ({ field, differs }) => (
              <>
                <span className="mr-2 font-mono">{field === "" ? "Result" : field}</span>
                {differs ? <Badge tone="warning">Differs</Badge> : null}
              </>
            ),
          },
          ...runs.map(
            (run, index): Column<SideBySide[number]> => ({
              id: run.id,
              header: edgeOf(run),
              cellClassName: "max-w-80 break-words align-top font-mono text-xs",
              cell: ({ values }) => shorten(values[index] ?? "–"),
            }),
          ),
        ]}
      />
    </section>
  );
}

function shorten(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

type SideBySide = { field: string; values: (string | null)[]; differs: boolean }[];

/**
 * The results of a group as rows: one per field, with a value for each run, or a single row when a result is not an object.
 * Runs without a result are not compared. Values are JSON, strings without quotes.
 */
export function sideBySide(runs: readonly Pick<Run, "state" | "result">[]): SideBySide {
  const ended = runs.filter((run) => run.state === "succeeded");
  if (ended.length === 0) return [];
  const areObjects = ended.every((run) => isObject(run.result));
  const fields = areObjects ? [...new Set(ended.flatMap((run) => Object.keys(run.result as object)))] : [""];
  return fields.map((field) => {
    const values = runs.map((run) => {
      if (run.state !== "succeeded") return null;
      const value = areObjects ? (run.result as Record<string, unknown>)[field] : run.result;
      return value === undefined ? null : asText(value);
    });
    const present = values.filter((_, index) => runs[index]?.state === "succeeded");
    return { field, values, differs: new Set(present).size > 1 };
  });
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
