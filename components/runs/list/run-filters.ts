import type { UrlPatch } from "@/components/state/use-url-params";
import { RUN_FILTER_KEYS, type RunFilters } from "@/lib/client/runs";

/** The address's filters as the API takes them. */
export function readRunFilters(params: URLSearchParams): RunFilters {
  const filters: RunFilters = {};
  for (const key of RUN_FILTER_KEYS) {
    const value = params.get(key);
    if (value) filters[key] = value;
  }
  return filters;
}

/** Takes every filter out of the address. */
export const noRunFilters: UrlPatch = Object.fromEntries(RUN_FILTER_KEYS.map((key) => [key, null]));

/** What a chart counts: all but what is chosen in the chart itself, or there would be nothing else left to choose. */
export function chartFilters({ state: _state, from: _from, to: _to, ...filters }: RunFilters): RunFilters {
  return filters;
}
