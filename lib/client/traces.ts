import { keepPreviousData } from "@tanstack/react-query";
import type { z } from "zod";
import type { Rating, TraceDetail, TraceFigures, TracePage } from "@/lib/agent/traces/schema";
import { answerOf, listOf, sendPut, withQuery } from "./api";
import { answerQuery, pagesQuery } from "./queries";

export const TRACE_FILTER_KEYS = [
  ...(["skill", "version", "source", "kind", "surface"] as const),
  ...(["outcome", "rating", "session", "from", "to"] as const),
] as const;
export type TraceFilterKey = (typeof TRACE_FILTER_KEYS)[number];
export type TraceFilters = Partial<Record<TraceFilterKey, string>>;

export const tracesKey = ["traces"] as const;
const refreshMs = 5_000;

export const tracePagesQuery = (filters: TraceFilters) =>
  pagesQuery(
    [...tracesKey, "pages", filters],
    "/api/traces",
    { ...filters, limit: 50 },
    listOf<z.infer<typeof TracePage>>(),
    {
      staleTime: 2_000,
      refetchInterval: refreshMs,
    },
  );

export const traceQuery = (id: string | null) =>
  answerQuery([...tracesKey, "one", id], `/api/traces/${encodeURIComponent(id ?? "")}`, answerOf<TraceDetail>(), {
    enabled: id !== null,
    staleTime: 2_000,
    retry: false,
  });

/** Figures by skill or version of the filtered traces. */
export const traceFiguresQuery = (filters: TraceFilters, by: "skill" | "version") =>
  answerQuery(
    [...tracesKey, "figures", by, filters],
    withQuery("/api/traces/figures", { ...filters, by }),
    answerOf<TraceFigures>(),
    { placeholderData: keepPreviousData, staleTime: 10_000 },
  );

export const rateTrace = (id: string, rating: Rating) =>
  sendPut(`/api/traces/${encodeURIComponent(id)}/rating`, answerOf<TraceDetail>(), { rating });
