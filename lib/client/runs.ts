import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { type Edge, EdgePage } from "@/lib/runner/edges/schema";
import {
  CancelRunsAnswer,
  DryRun,
  FINAL_STATES,
  Run,
  RunGroup,
  RunPage,
  type RunState,
  RunSummary,
} from "@/lib/runner/schema";
import { api, withQuery } from "./api";
import { skillPath } from "./skills";

export type { Run, RunState, RunSummary };

/** As in the address: every value is text, and what is not asked for is absent. */
export type RunFilters = Partial<Record<RunFilterKey, string>>;
export const RUN_FILTER_KEYS = [
  ...([
    "skill",
    "q",
    "state",
    "class",
    "caller",
    "worker",
    "group",
    "schedule",
    "parent",
    "steps",
    "from",
    "to",
  ] as const),
];
export type RunFilterKey = (typeof RUN_FILTER_KEYS)[number];

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

export type RunWindow = { from: string; to: string; buckets: number };

/**
 * Counts and durations over a stretch of time that moves on with the clock. What is shown stays while the next is read,
 * and an answer that did not change costs the server no transfer.
 */
export function runSummaryQuery(
  name: string,
  filters: RunFilters,
  { windowNow, refreshMs }: { windowNow: () => RunWindow; refreshMs: number },
) {
  return queryOptions({
    queryKey: ["runs", "summary", name, filters],
    queryFn: ({ signal }) =>
      api(withQuery("/api/runs/summary", { ...filters, ...windowNow() }), { schema: RunSummary, signal }),
    placeholderData: keepPreviousData,
    staleTime: 2_000,
    refetchInterval: refreshMs,
  });
}

/** The newest hundred runs, of one skill or of all, steps of pipelines among them. */
export function newestRunsQuery(filters: RunFilters, limit = 100) {
  return queryOptions({
    queryKey: ["runs", "newest", filters, limit],
    queryFn: ({ signal }) =>
      api(withQuery("/api/runs", { ...filters, steps: true, limit }), { schema: RunPage, signal }),
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
  /** The worker it runs on, where the arguments do not name it. */
  workerId?: string;
  idempotencyKey: string;
};

export function startRun({ skillId, args, confirm, sop, workerId, idempotencyKey }: StartRun): Promise<Run> {
  return api(`${skillPath(skillId)}/runs`, {
    method: "POST",
    body: { args, ...(confirm ? { confirm: true } : {}), ...(sop ? { sop } : {}), ...(workerId ? { workerId } : {}) },
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

/** Up to 100 runs; each has its own answer. */
export function cancelRuns(ids: readonly string[], reason: string): Promise<CancelRunsAnswer> {
  return api("/api/runs/cancel", { method: "POST", body: { ids, reason }, schema: CancelRunsAnswer });
}

export type { Edge };

/** The edges that can run a skill, online ones first. */
export function edgesQuery(skillId: string) {
  return queryOptions({
    queryKey: ["edges", skillId],
    queryFn: async ({ signal }) => {
      const page = await api(withQuery("/api/edges", { skill: skillId }), { schema: EdgePage, signal });
      return page.items.filter((edge) => edge.offers);
    },
    staleTime: 5_000,
    refetchInterval: 15_000,
  });
}

type StartGroup = { skillId: string; args: Record<string, unknown>; edges: readonly string[]; confirm: boolean };

/** The same run on several edges: all of them start, or none. */
export function startRunGroup({ skillId, args, edges, confirm }: StartGroup): Promise<RunGroup> {
  return api(`${skillPath(skillId)}/runs`, {
    method: "POST",
    body: { args, edges, ...(confirm ? { confirm: true } : {}) },
    schema: RunGroup,
  });
}
