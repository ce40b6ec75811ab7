import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { type Rating, type Trace, TraceDetail, TraceFigures, TracePage } from "@/lib/agent/traces/schema";
import { api, withQuery } from "./api";

export type { Rating, Trace, TraceDetail, TraceFigures };

export const TRACE_FILTER_KEYS = [
  ...(["skill", "version", "source", "kind", "surface"] as const),
  ...(["outcome", "rating", "session", "from", "to"] as const),
] as const;
export type TraceFilterKey = (typeof TRACE_FILTER_KEYS)[number];
export type TraceFilters = Partial<Record<TraceFilterKey, string>>;

export const tracesKey = ["traces"] as const;
const refreshMs = 5_000;

/** Uses of skills that the caller may see, newest first. */
export function tracePagesQuery(filters: TraceFilters) {
  return infiniteQueryOptions({
    queryKey: [...tracesKey, "pages", filters],
    queryFn: ({ pageParam, signal }) =>
      api(withQuery("/api/traces", { ...filters, limit: 50, cursor: pageParam }), { schema: TracePage, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 2_000,
    refetchInterval: refreshMs,
  });
}

export function traceQuery(id: string | null) {
  return queryOptions({
    queryKey: [...tracesKey, "one", id],
    queryFn: ({ signal }) => api(`/api/traces/${encodeURIComponent(id ?? "")}`, { schema: TraceDetail, signal }),
    enabled: id !== null,
    staleTime: 2_000,
    retry: false,
  });
}

/** Figures of each skill, or of each version, over what fits. */
export function traceFiguresQuery(filters: TraceFilters, by: "skill" | "version") {
  return queryOptions({
    queryKey: [...tracesKey, "figures", by, filters],
    queryFn: ({ signal }) =>
      api(withQuery("/api/traces/figures", { ...filters, by }), { schema: TraceFigures, signal }),
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });
}

export function rateTrace(id: string, rating: Rating): Promise<TraceDetail> {
  return api(`/api/traces/${encodeURIComponent(id)}/rating`, { method: "PUT", body: { rating }, schema: TraceDetail });
}
