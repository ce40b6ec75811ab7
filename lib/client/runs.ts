import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { FINAL_STATES, Run, RunPage, type RunState } from "@/lib/runner/schema";
import { api, withQuery } from "./api";
import { skillPath } from "./skills";

export type { Run, RunState };

export type RunFilters = { skill?: string; state?: string; caller?: string };

const soonMs = 1_500;
const listSoonMs = 5_000;

export function hasEnded(state: RunState): boolean {
  return FINAL_STATES.includes(state);
}

/** One run; asked for again while it has not ended, since only its log is pushed. */
export function runQuery(id: string) {
  return queryOptions({
    queryKey: ["runs", "one", id],
    queryFn: ({ signal }) => api(`/api/runs/${encodeURIComponent(id)}`, { schema: Run, signal }),
    staleTime: 1_000,
    refetchInterval: ({ state }) => (state.data && hasEnded(state.data.state) ? false : soonMs),
  });
}

/** Runs the caller may see, newest first. */
export function runPagesQuery(filters: RunFilters) {
  return infiniteQueryOptions({
    queryKey: ["runs", "pages", filters],
    queryFn: ({ pageParam, signal }) =>
      api(withQuery("/api/runs", { ...filters, limit: 50, cursor: pageParam }), { schema: RunPage, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 2_000,
    refetchInterval: listSoonMs,
  });
}

/** The newest hundred runs, of one skill or of all. */
export function newestRunsQuery(filters: RunFilters, limit = 100) {
  return queryOptions({
    queryKey: ["runs", "newest", filters, limit],
    queryFn: ({ signal }) => api(withQuery("/api/runs", { ...filters, limit }), { schema: RunPage, signal }),
    staleTime: 2_000,
    refetchInterval: 15_000,
  });
}

export type StartRun = { skillId: string; args: Record<string, unknown>; confirm: boolean; idempotencyKey: string };

export function startRun({ skillId, args, confirm, idempotencyKey }: StartRun): Promise<Run> {
  return api(`${skillPath(skillId)}/runs`, {
    method: "POST",
    body: { args, ...(confirm ? { confirm: true } : {}) },
    headers: { "idempotency-key": idempotencyKey },
    schema: Run,
  });
}

export function cancelRun(id: string): Promise<Run> {
  return api(`/api/runs/${encodeURIComponent(id)}/cancel`, { method: "POST", schema: Run });
}
