"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { ScrollText } from "lucide-react";
import { useMemo } from "react";
import { EndOfList } from "@/components/runs/end-of-list";
import { Page } from "@/components/shell/page";
import { QueryState } from "@/components/state/query-state";
import { useMe } from "@/components/state/use-me";
import { useUrlParams } from "@/components/state/use-url-params";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { AuditLaneKind } from "@/lib/audit/schema";
import { type AuditEvent, auditPagesQuery } from "@/lib/client/audit";
import { AuditDrawer } from "./audit-drawer";
import { AuditFilterBar } from "./audit-filter-bar";
import { noFilters, readAuditFilters } from "./audit-filters";
import { AuditHistogram } from "./audit-histogram";
import { AuditTimeline } from "./audit-timeline";
import { ExportMenu } from "./export-menu";
import { NewerEvents } from "./newer-events";
import { SavedViews } from "./saved-views";
import { VerifyButton } from "./verify-button";

/** Who did what, newest first; the address holds all that is chosen. */
export function AuditPage() {
  const [params, setParams] = useUrlParams();
  const filters = readAuditFilters(params);
  const around = params.get("around");
  const query = useInfiniteQuery(auditPagesQuery(filters, around));
  const events = useMemo(() => query.data?.pages.flatMap((page) => page.items) ?? [], [query.data]);
  const isFiltered = Object.keys(filters).length > 0 || around !== null;
  const lanes = AuditLaneKind.safeParse(params.get("lanes")).data ?? null;
  const searchedTo = query.data?.pages.at(-1)?.searchedTo ?? null;
  const role = useMe()?.user.role;
  const opened = Number(params.get("event")) || null;
  const open = (seq: number | null) => setParams({ event: seq === null ? null : String(seq) });

  return (
    <Page
      title="Audit"
      description={
        role === "user" ? "What you did, and what was refused to you." : "Who did what, and what was refused."
      }
      actions={
        <>
          <ExportMenu filters={filters} />
          {role === "reviewer" || role === "admin" ? <VerifyButton /> : null}
        </>
      }
    >
      <div className="flex flex-wrap items-center gap-2">
        <AuditFilterBar params={params} onChange={setParams} />
        <span className="ml-auto">
          <SavedViews params={params} onChange={setParams} />
        </span>
      </div>
      <AuditHistogram filters={filters} lanes={lanes} onChange={setParams} />
      <QueryState
        query={query}
        errorTitle="The audit log could not be loaded."
        isEmpty={() => events.length === 0 && !query.hasNextPage}
        empty={
          <EmptyState
            icon={ScrollText}
            title={isFiltered ? "No event fits these filters" : "Nothing has happened yet"}
            description={
              isFiltered ? null : "Every change and every refusal is written here, with who, when and from where."
            }
            action={isFiltered ? <Button onClick={() => setParams(noFilters)}>Show all events</Button> : null}
          />
        }
      >
        {(data) => (
          <div>
            <NewerEvents
              filters={filters}
              cursor={data.pages[0]?.prevCursor ?? null}
              pending={query.isFetchingPreviousPage}
              isOlderPart={around !== null}
              onLoad={() => void query.fetchPreviousPage().then(() => window.scrollTo({ top: 0 }))}
            />
            <AuditTimeline
              key={JSON.stringify([filters, around])}
              events={events}
              marked={Number(around) || null}
              onOpen={({ seq }) => open(seq)}
            />
            {searchedTo === null ? null : (
              <p role="status" className="pt-3 text-center text-13 text-muted-foreground">
                Searched back to {new Date(searchedTo).toLocaleString("en-GB")}; the search goes on.
              </p>
            )}
            <EndOfList query={query} endText="That is the beginning." />
          </div>
        )}
      </QueryState>
      <AuditDrawer seq={opened} beside={besideOf(events, opened)} onMove={open} />
    </Page>
  );
}

/** The neighbours in the list as it is filtered; none where it has no such event. */
function besideOf(events: readonly AuditEvent[], seq: number | null) {
  const index = events.findIndex((event) => event.seq === seq);
  return index === -1 ? null : { newer: events[index - 1]?.seq ?? null, older: events[index + 1]?.seq ?? null };
}
