import { dayBoundary } from "@/components/audit/group-by-day";
import type { UrlPatch } from "@/components/state/use-url-params";
import { SESSION_FILTER_KEYS, type SessionFilters } from "@/lib/client/agents";

/** The address's filters as the API takes them; days become moments of the reader's zone. */
export function readSessionFilters(params: URLSearchParams): SessionFilters {
  const filters: SessionFilters = {};
  for (const key of SESSION_FILTER_KEYS) {
    const raw = params.get(key);
    const value = raw && (key === "from" || key === "to") ? dayBoundary(raw, key) : raw;
    if (value) filters[key] = value;
  }
  return filters;
}

/** Takes every filter out of the address. */
export const noSessionFilters: UrlPatch = Object.fromEntries(SESSION_FILTER_KEYS.map((key) => [key, null]));
