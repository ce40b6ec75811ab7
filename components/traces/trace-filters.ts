import { dayBoundary } from "@/components/audit/group-by-day";
import type { UrlPatch } from "@/components/state/use-url-params";
import { TRACE_FILTER_KEYS, type TraceFilters } from "@/lib/client/traces";

/** The address's filters as the API takes them; days become moments of the reader's zone. */
export function readTraceFilters(params: URLSearchParams): TraceFilters {
  const filters: TraceFilters = {};
  for (const key of TRACE_FILTER_KEYS) {
    const raw = params.get(key);
    const value = raw && (key === "from" || key === "to") ? dayBoundary(raw, key) : raw;
    if (value) filters[key] = value;
  }
  return filters;
}

/** Takes every filter out of the address. */
export const noTraceFilters: UrlPatch = Object.fromEntries(TRACE_FILTER_KEYS.map((key) => [key, null]));
