import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { DryRun, FINAL_STATES, Run, RunPage, type RunState } from "@/lib/runner/schema";
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

export type StartRun = {
  skillId: string;
  args: Record<string, unknown>;
  confirm: boolean;
  /** Id of the procedure it follows. */
  sop?: string | undefined;
  idempotencyKey: string;
};

export function startRun({ skillId, args, confirm, sop, idempotencyKey }: StartRun): Promise<Run> {
  return api(`${skillPath(skillId)}/runs`, {
    method: "POST",
    body: { args, ...(confirm ? { confirm: true } : {}), ...(sop ? { sop } : {}) },
    headers: { "idempotency-key": idempotencyKey },
    schema: Run,
  });
}

/** What asking for this run would lead to. Nothing is started; it fails as asking would. */
export function tryRunQuery(skillId: string, args: Record<string, unknown>, sop: string | undefined) {
  return queryOptions({
    queryKey: ["run-trial", skillId, args, sop ?? null],
    queryFn: ({ signal }) =>
      api(`${skillPath(skillId)}/runs`, {
        method: "POST",
        body: { args, dryRun: true, ...(sop ? { sop } : {}) },
        schema: DryRun,
        signal,
      }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
}

export function cancelRun(id: string): Promise<Run> {
  return api(`/api/runs/${encodeURIComponent(id)}/cancel`, { method: "POST", schema: Run });
}
