"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { ScrollText } from "lucide-react";
import { useMemo, useState } from "react";
import { EndOfList } from "@/components/runs/end-of-list";
import { useRowKeys } from "@/components/runs/use-row-keys";
import { Page } from "@/components/shell/page";
import { QueryState } from "@/components/state/query-state";
import { useMe } from "@/components/state/use-me";
import { useNow } from "@/components/state/use-now";
import { useUrlParams } from "@/components/state/use-url-params";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { type AuditEvent, auditPagesQuery } from "@/lib/client/audit";
import { AuditDrawer } from "./audit-drawer";
import { AuditFilterBar } from "./audit-filter-bar";
import { filterKeys, readAuditFilters } from "./audit-filters";
import { AuditRow } from "./audit-row";
import { groupByDay } from "./group-by-day";

/** Who did what, newest first. */
export function AuditPage() {
  const [params, setParams] = useUrlParams();
  const [opened, setOpened] = useState<AuditEvent | null>(null);
  const filters = readAuditFilters(params);
  const query = useInfiniteQuery(auditPagesQuery(filters));
  const events = useMemo(() => query.data?.pages.flatMap((page) => page.items) ?? [], [query.data]);
  const active = useRowKeys({
    count: events.length,
    noun: "event",
    onOpen: (index) => setOpened(events[index] ?? null),
  });
  const isFiltered = Object.keys(filters).length > 0;
  const role = useMe()?.user.role;

  return (
    <Page
      title="Audit"
      description={
        role === "user" ? "What you did, and what was refused to you." : "Who did what, and what was refused."
      }
    >
      <AuditFilterBar params={params} onChange={setParams} />
      <QueryState
        query={query}
        errorTitle="The audit log could not be loaded."
        isEmpty={() => events.length === 0}
        empty={
          <EmptyState
            icon={ScrollText}
            title={isFiltered ? "No event fits these filters" : "Nothing has happened yet"}
            description={
              isFiltered ? null : "Every change and every refusal is written here, with who, when and from where."
            }
            action={
              isFiltered ? (
                <Button onClick={() => setParams(Object.fromEntries(filterKeys.map((key) => [key, null])))}>
                  Show all events
                </Button>
              ) : null
            }
          />
        }
      >
        {() => (
          <>
            <Timeline events={events} active={active} onOpen={setOpened} />
            <EndOfList query={query} endText="That is the beginning." />
          </>
        )}
      </QueryState>
      <AuditDrawer event={opened} onClose={() => setOpened(null)} />
    </Page>
  );
}

type TimelineProps = { events: readonly AuditEvent[]; active: number; onOpen: (event: AuditEvent) => void };

function Timeline({ events, active, onOpen }: TimelineProps) {
  const now = useNow();
  // Days depend on the reader's zone, which the server does not know.
  const days = useMemo(() => (now === null ? [] : groupByDay(events, now)), [events, now]);
  const places = new Map(events.map((event, index) => [event.seq, index]));
  return (
    <div className="flex flex-col gap-5">
      {days.map((day) => (
        <section key={day.key} aria-label={day.label}>
          <h2 className="sticky top-(--topbar-height) z-10 flex items-baseline gap-2 border-b bg-background px-2 py-1.5 text-13">
            {day.label}
          </h2>
          <ol className="mt-1">
            {day.events.map((event) => {
              const index = places.get(event.seq) ?? -1;
              return (
                <AuditRow
                  key={event.seq}
                  event={event}
                  index={index}
                  isActive={index === active}
                  onOpen={() => onOpen(event)}
                />
              );
            })}
          </ol>
        </section>
      ))}
    </div>
  );
}
