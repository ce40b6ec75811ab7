"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { Play } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { Page } from "@/components/shell/page";
import { QueryState } from "@/components/state/query-state";
import { useUrlParams } from "@/components/state/use-url-params";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { type RunFilters, runPagesQuery } from "@/lib/client/runs";
import { EndOfList } from "./end-of-list";
import { RecentStrip } from "./recent-strip";
import { RunFilterBar } from "./run-filter-bar";
import { RunTable } from "./run-table";
import { useRowKeys } from "./use-row-keys";

/** Every run the person may see. */
export function RunsPage() {
  const [params, setParams] = useUrlParams();
  const router = useRouter();
  const filters = readFilters(params);
  const query = useInfiniteQuery(runPagesQuery(filters));
  const runs = query.data?.pages.flatMap((page) => page.items) ?? [];
  const active = useRowKeys({
    count: runs.length,
    noun: "run",
    onOpen: (index) => {
      const run = runs[index];
      if (run) router.push(`/runs/${run.id}`);
    },
  });
  const isFiltered = Object.keys(filters).length > 0;

  return (
    <Page title="Runs" description="Every execution with its log and its result.">
      <RecentStrip onPick={(state) => setParams({ state })} />
      <RunFilterBar filters={filters} onChange={setParams} />
      <QueryState
        query={query}
        errorTitle="The runs could not be loaded."
        isEmpty={() => runs.length === 0}
        empty={
          isFiltered ? (
            <EmptyState
              title="No run fits these filters"
              action={
                <Button onClick={() => setParams({ state: null, skill: null, caller: null })}>Show all runs</Button>
              }
            />
          ) : (
            <EmptyState
              icon={Play}
              title="Nothing has run yet"
              description="Runs of skills are listed here, each with its arguments, log and result."
              action={
                <Button variant="primary" asChild>
                  <Link href="/skills">Choose a skill</Link>
                </Button>
              }
            />
          )
        }
      >
        {() => (
          <div>
            <RunTable runs={runs} active={active} />
            <EndOfList query={query} endText="That is every run." />
          </div>
        )}
      </QueryState>
    </Page>
  );
}

function readFilters(params: URLSearchParams): RunFilters {
  const [state, skill, caller] = ["state", "skill", "caller"].map((key) => params.get(key));
  return { ...(state ? { state } : {}), ...(skill ? { skill } : {}), ...(caller ? { caller } : {}) };
}
