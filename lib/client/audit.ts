import { infiniteQueryOptions, keepPreviousData } from "@tanstack/react-query";
import type { z } from "zod";
import type { AuditVerification } from "@/lib/audit/chain/schema";
import type {
  AuditDetail,
  AuditFacets,
  AuditFilter,
  AuditHistogram,
  AuditLaneKind,
  AuditPage,
  SavedView,
  SavedViewList,
  SaveViewInput,
  UpdateViewInput,
} from "@/lib/audit/schema";
import { answerOf, api, listOf, sendDelete, sendPatch, sendPost, withQuery } from "./api";
import { answerQuery } from "./queries";

/** Filters of the address, with times as ISO text. */
export type AuditFilters = { [K in keyof AuditFilter]?: string };

const LIVE_MS = 5_000;
const MAX_NEWER = 100;

/** Events, newest first, or around one event. Newer pages load on request only. */
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
          shape: listOf<AuditPage>(),
          signal,
        },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    getPreviousPageParam: (page) => page.prevCursor,
    // The list must not change while a person reads it.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

/** Number of newer events, at most 100; polled. */
export const newerEventsQuery = (filters: AuditFilters, cursor: string | null) =>
  answerQuery(
    ["audit", "newer", filters, cursor],
    withQuery("/api/audit", { ...filters, limit: MAX_NEWER, cursor }),
    listOf<AuditPage>(),
    { select: (page) => page.items.length, enabled: cursor !== null, refetchInterval: LIVE_MS, staleTime: LIVE_MS },
  );

export const auditEventQuery = (seq: number | null) =>
  answerQuery(["audit", "event", seq], `/api/audit/${seq}`, answerOf<AuditDetail>(), {
    enabled: seq !== null,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });

export const auditHistogramQuery = (filters: AuditFilters, lanes: AuditLaneKind | null, buckets = 120) =>
  answerQuery(
    ["audit", "histogram", filters, lanes, buckets],
    withQuery("/api/audit/histogram", { ...filters, lanes, buckets }),
    answerOf<AuditHistogram>(),
    { placeholderData: keepPreviousData, staleTime: 30_000 },
  );

export const auditFacetsQuery = answerQuery(["audit", "facets"], "/api/audit/facets", answerOf<AuditFacets>(), {
  staleTime: 60_000,
});

export const auditViewsQuery = answerQuery(
  ["audit", "views"],
  "/api/audit/views",
  listOf<z.infer<typeof SavedViewList>>(),
  {
    staleTime: 60_000,
  },
);

export const saveAuditView = (body: SaveViewInput) => sendPost("/api/audit/views", answerOf<SavedView>(), body);

export const updateAuditView = ({ id, patch }: { id: string; patch: UpdateViewInput }) =>
  sendPatch(`/api/audit/views/${encodeURIComponent(id)}`, answerOf<SavedView>(), patch);

export const deleteAuditView = (id: string) => sendDelete(`/api/audit/views/${encodeURIComponent(id)}`);

/** Verifies the whole chain and returns the result; reports progress about every ten seconds. */
export async function verifyAudit(onProgress: (answer: AuditVerification) => void): Promise<AuditVerification> {
  for (;;) {
    const answer = await api("/api/audit/verify", { shape: answerOf<AuditVerification>() });
    if (answer.state === "done") return answer;
    onProgress(answer);
  }
}

/** Address of a file with the filtered events. */
export function auditExportUrl(filters: AuditFilters, format: "ndjson" | "csv"): string {
  return withQuery("/api/audit/export", { ...filters, format });
}
