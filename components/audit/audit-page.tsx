"use client";

import { useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import { ArrowUp, Download, ScrollText, ShieldCheck } from "lucide-react";
import { useMemo, useState } from "react";
import { EndOfList } from "@/components/lists/end-of-list";
import { Page } from "@/components/shell/page";
import { errorText } from "@/components/state/describe-error";
import { QueryState } from "@/components/state/query-state";
import { useMe } from "@/components/state/use-me";
import { useUrlParams } from "@/components/state/use-url-params";
import { Button } from "@/components/ui/button";
import { deferred, deferredUntil } from "@/components/ui/deferred/deferred";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";
import { EmptyState } from "@/components/ui/empty-state";
import { Notice } from "@/components/ui/notice";
import { Skeleton, SkeletonRows } from "@/components/ui/skeleton";
import type { AuditVerification } from "@/lib/audit/chain/schema";
import type { AuditEvent, AuditLaneKind } from "@/lib/audit/schema";
import { type AuditFilters, auditExportUrl, auditPagesQuery, newerEventsQuery, verifyAudit } from "@/lib/client/audit";
import { AuditFilterBar } from "./audit-filter-bar";
import { noFilters, readAuditFilters } from "./audit-filters";
import { SavedViews } from "./saved-views";

const AuditHistogram = deferred(
  async () => (await import("./audit-histogram")).AuditHistogram,
  <Skeleton className="h-32" />,
  { early: true },
);

const AuditTimeline = deferred(
  async () => (await import("./audit-timeline")).AuditTimeline,
  <SkeletonRows label="Loading the events" />,
  { early: true },
);

const AuditDrawer = deferredUntil(
  async () => (await import("./audit-drawer")).AuditDrawer,
  ({ seq }) => seq !== null,
);

const LANES: readonly AuditLaneKind[] = ["actor", "tool"];

export function AuditPage() {
  const [params, setParams] = useUrlParams();
  const filters = readAuditFilters(params);
  const around = params.get("around");
  const query = useInfiniteQuery(auditPagesQuery(filters, around));
  const events = useMemo(() => query.data?.pages.flatMap((page) => page.items) ?? [], [query.data]);
  const isFiltered = Object.keys(filters).length > 0 || around !== null;
  const lanes = LANES.find((kind) => kind === params.get("lanes")) ?? null;
  const searchedTo = query.data?.pages.at(-1)?.searchedTo ?? null;
  const role = useMe()?.user.role;
  const verifying = useVerify();
  const opened = Number(params.get("event")) || null;
  const open = (seq: number | null) => setParams({ event: seq === null ? null : String(seq) });

  return (
    <Page
      title="Audit"
      description={
        role === "user" ? "What you and your agents did, and what was refused." : "Who did what, and what was refused."
      }
      actions={
        <>
          <ExportMenu filters={filters} />
          {role === "reviewer" || role === "admin" ? <VerifyButton {...verifying} /> : null}
        </>
      }
    >
      <VerifyOutcome {...verifying} />
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
            title={isFiltered ? "No matching events" : "No events yet"}
            description={
              isFiltered ? null : "The audit log records every change and every refusal: who, when and from where."
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
                Searched back to {new Date(searchedTo).toLocaleString("en-GB")}; still searching.
              </p>
            )}
            <EndOfList query={query} endText="End of list" />
          </div>
        )}
      </QueryState>
      <AuditDrawer seq={opened} neighbours={neighboursOf(events, opened)} onMove={open} />
    </Page>
  );
}

/** The neighbours in the filtered list; null when the list does not contain the event. */
function neighboursOf(events: readonly AuditEvent[], seq: number | null) {
  const index = events.findIndex((event) => event.seq === seq);
  return index === -1 ? null : { newer: events[index - 1]?.seq ?? null, older: events[index + 1]?.seq ?? null };
}

function ExportMenu({ filters }: { filters: AuditFilters }) {
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button>
          <Download aria-hidden className="size-4" />
          Export
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent align="end">
        <DropdownMenuItem asChild>
          <a href={auditExportUrl(filters, "ndjson")} download>
            NDJSON (verifiable)
          </a>
        </DropdownMenuItem>
        <DropdownMenuItem asChild>
          <a href={auditExportUrl(filters, "csv")} download>
            CSV (for spreadsheets)
          </a>
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

type NewerEventsProps = {
  filters: AuditFilters;
  cursor: string | null;
  pending: boolean;
  isOlderPart: boolean;
  onLoad: () => void;
};

function NewerEvents({ filters, cursor, pending, isOlderPart, onLoad }: NewerEventsProps) {
  const { data: count = 0 } = useQuery(newerEventsQuery(filters, cursor));
  return (
    <div
      aria-live="polite"
      className="pointer-events-none sticky top-[calc(var(--topbar-height)+0.5rem)] z-20 h-0 text-center"
    >
      {count > 0 ? (
        <Button
          size="sm"
          variant="primary"
          pending={pending}
          onClick={onLoad}
          className="pointer-events-auto shadow-float"
        >
          <ArrowUp aria-hidden />
          {count >= 100 ? "100 or more" : count} {isOlderPart ? "newer" : "new"} {count === 1 ? "event" : "events"}
        </Button>
      ) : null}
    </div>
  );
}

function useVerify() {
  const [progress, setProgress] = useState<AuditVerification | null>(null);
  const verify = useMutation({ mutationFn: () => verifyAudit(setProgress), onSettled: () => setProgress(null) });
  return { verify, progress };
}

type Verifying = ReturnType<typeof useVerify>;

function VerifyButton({ verify, progress }: Verifying) {
  const label = progress === null ? "Verifying …" : `Verifying … ${share(progress)} %`;
  return (
    <Button onClick={() => verify.mutate()} disabled={verify.isPending}>
      <ShieldCheck aria-hidden className="size-4" />
      {verify.isPending ? label : "Verify"}
    </Button>
  );
}

/** What the verification found, below the heading, so that the buttons stay where they are. */
function VerifyOutcome({ verify }: Pick<Verifying, "verify">) {
  return (
    <div aria-live="polite" className="empty:hidden">
      {verify.data && !verify.isPending ? <Verdict found={verify.data} /> : null}
      {verify.isError ? <Notice tone="danger">{errorText(verify.error)}</Notice> : null}
    </div>
  );
}

function Verdict({ found }: { found: AuditVerification }) {
  const { title, details } = describeVerification(found);
  return (
    <Notice tone={found.ok ? "success" : "danger"}>
      <p className="font-medium">{title}</p>
      {details.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </Notice>
  );
}

function share({ checked, total }: AuditVerification): number {
  return total === 0 ? 0 : Math.min(99, Math.floor((checked / total) * 100));
}

export function describeVerification(found: AuditVerification): { title: string; details: string[] } {
  const { ok, checked, firstBroken, head, unsigned, chainedLater, segments } = found;
  const events = `${checked.toLocaleString("en")} ${checked === 1 ? "event" : "events"}`;
  const title = ok
    ? `The audit log is intact: ${events} checked.`
    : (firstBroken?.message ?? "The audit log is broken.");
  const absent = segments.absent.map(({ fromSeq, toSeq }) => `${fromSeq} to ${toSeq}`).join(", ");
  const details = [
    ok ? null : "All earlier events are intact. Compare the log with a backup or with the forwarded events.",
    head === null ? null : `Newest signed event: ${head.seq}.`,
    unsigned === 0 ? null : `${unsigned} newer ${unsigned === 1 ? "event is" : "events are"} not signed yet.`,
    absent === "" ? null : `Missing sealed files: events ${absent}.`,
    chainedLater === 0 ? null : `Events up to ${chainedLater} are older than the chain.`,
  ];
  return { title, details: details.filter((sentence) => sentence !== null) };
}
