import { infiniteQueryOptions, keepPreviousData } from "@tanstack/react-query";
import { AuditVerification } from "@/lib/audit/chain/schema";
import {
  AuditDetail,
  AuditFacets,
  type AuditFilter,
  AuditHistogram,
  type AuditLaneKind,
  AuditPage,
  SavedView,
  SavedViewList,
  type SaveViewInput,
  type UpdateViewInput,
} from "@/lib/audit/schema";
import { api, sendDelete, sendPatch, sendPost, withQuery } from "./api";
import { answerQuery } from "./queries";

/** Filters as the address has them, times as moments. */
export type AuditFilters = { [K in keyof AuditFilter]?: string };

const LIVE_MS = 5_000;
const MOST = 100;

/**
 * Events newest first, or those on both sides of one: the caller's own, or all for reviewers and admins. Further pages come
 * below; above come newer ones, only when they are asked for.
 */
export function auditPagesQuery(filters: AuditFilters, around: string | null) {
  return infiniteQueryOptions({
    queryKey: ["audit", "pages", filters, around],
    queryFn: ({ pageParam, signal }) =>
      api(
        withQuery("/api/audit", {
          ...filters,
          limit: 50,
          around: pageParam === null ? around : null,
          cursor: pageParam,
        }),
        {
          schema: AuditPage,
          signal,
        },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    getPreviousPageParam: (page) => page.prevCursor,
    // A list that somebody reads does not change by itself.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

/** How many events are newer than the list, 100 at most; asked again every few seconds. */
export const newerEventsQuery = (filters: AuditFilters, cursor: string | null) =>
  answerQuery(
    ["audit", "newer", filters, cursor],
    withQuery("/api/audit", { ...filters, limit: MOST, cursor }),
    AuditPage,
    { select: (page) => page.items.length, enabled: cursor !== null, refetchInterval: LIVE_MS, staleTime: LIVE_MS },
  );

/** One event, with its neighbours and links. */
export const auditEventQuery = (seq: number | null) =>
  answerQuery(["audit", "event", seq], `/api/audit/${seq}`, AuditDetail, {
    enabled: seq !== null,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });

/** Events over time, of each actor or tool when lanes are asked for. */
export const auditHistogramQuery = (filters: AuditFilters, lanes: AuditLaneKind | null, buckets = 120) =>
  answerQuery(
    ["audit", "histogram", filters, lanes, buckets],
    withQuery("/api/audit/histogram", { ...filters, lanes, buckets }),
    AuditHistogram,
    { placeholderData: keepPreviousData, staleTime: 30_000 },
  );

/** What the filters can be set to. */
export const auditFacetsQuery = answerQuery(["audit", "facets"], "/api/audit/facets", AuditFacets, {
  staleTime: 60_000,
});

/** The person's own saved filters. */
export const auditViewsQuery = answerQuery(["audit", "views"], "/api/audit/views", SavedViewList, {
  staleTime: 60_000,
});

export const saveAuditView = (body: SaveViewInput) => sendPost("/api/audit/views", SavedView, body);

export const updateAuditView = ({ id, patch }: { id: string; patch: UpdateViewInput }) =>
  sendPatch(`/api/audit/views/${encodeURIComponent(id)}`, SavedView, patch);

export const deleteAuditView = (id: string) => sendDelete(`/api/audit/views/${encodeURIComponent(id)}`);

/** Checks the whole chain; says after each ten seconds or so how far it is, and resolves with what it found. */
export async function verifyAudit(onProgress: (answer: AuditVerification) => void): Promise<AuditVerification> {
  for (;;) {
    const answer = await api("/api/audit/verify", { schema: AuditVerification });
    if (answer.state === "done") return answer;
    onProgress(answer);
  }
}

/** Where the events with these filters come as a file. */
export function auditExportUrl(filters: AuditFilters, format: "ndjson" | "csv"): string {
  return withQuery("/api/audit/export", { ...filters, format });
}
