"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { Bot } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { EndOfList } from "@/components/runs/end-of-list";
import { useRowKeys } from "@/components/runs/use-row-keys";
import { QueryState } from "@/components/state/query-state";
import { useUrlParams } from "@/components/state/use-url-params";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { sessionPagesQuery } from "@/lib/client/agents";
import { SessionFilterBar } from "./session-filter-bar";
import { noSessionFilters, readSessionFilters } from "./session-filters";
import { SessionTable } from "./session-table";

/** Sessions of agents that the person may see. */
export function SessionList() {
  const [params, setParams] = useUrlParams();
  const router = useRouter();
  const filters = readSessionFilters(params);
  const query = useInfiniteQuery(sessionPagesQuery(filters));
  const sessions = query.data?.pages.flatMap((page) => page.items) ?? [];
  const active = useRowKeys({
    count: sessions.length,
    noun: "session",
    ids: sessions.map(({ id }) => id),
    onOpen: (index) => {
      const session = sessions[index];
      if (session) router.push(`/agents/${session.id}`);
    },
  });
  const isFiltered = Object.keys(filters).length > 0;
  const hasNone = query.data !== undefined && sessions.length === 0 && !isFiltered;
  return (
    <>
      {hasNone ? null : <SessionFilterBar params={params} onChange={setParams} />}
      <QueryState
        query={query}
        errorTitle="The sessions could not be loaded."
        isEmpty={() => sessions.length === 0}
        empty={
          isFiltered ? (
            <EmptyState
              title="No session fits these filters"
              action={<Button onClick={() => setParams(noSessionFilters)}>Show all sessions</Button>}
            />
          ) : (
            <EmptyState
              icon={Bot}
              title="No agent has been here yet"
              description="Once an agent asks with a token, its session is listed here with each step: what it was offered, loaded and ran, and what was refused."
              action={
                <>
                  <Button asChild>
                    <Link href="/agents/view">See what an agent sees</Link>
                  </Button>
                  <Button variant="primary" asChild>
                    <Link href="/settings/tokens">Create a token</Link>
                  </Button>
                </>
              }
            />
          )
        }
      >
        {() => (
          <div>
            <SessionTable sessions={sessions} active={active} />
            <EndOfList query={query} endText="That is every session that is kept." />
          </div>
        )}
      </QueryState>
    </>
  );
}
