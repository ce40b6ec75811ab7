import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import type {
  CancelRunsAnswer,
  DryRun,
  EdgePage,
  Run,
  RunGroup,
  RunPage,
  RunState,
  RunSummary,
} from "@/lib/runner/schema";
import { answerOf, api, listOf, sendPost, withQuery } from "./api";
import { answerQuery, pagesQuery } from "./queries";
import { skillPath } from "./skills";

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
type RunFilterKey = (typeof RUN_FILTER_KEYS)[number];

const pollMs = 1_500;
const listPollMs = 5_000;

const FINAL_STATES: readonly RunState[] = ["succeeded", "failed", "cancelled", "rejected", "expired"];

export function hasEnded(state: RunState): boolean {
  return FINAL_STATES.includes(state);
}

/** One run; polled until it ends, because only its log is pushed. */
export const runQuery = (id: string) =>
  answerQuery(["runs", "one", id], `/api/runs/${encodeURIComponent(id)}`, answerOf<Run>(), {
    staleTime: 1_000,
    refetchInterval: ({ state }) => (state.data && hasEnded(state.data.state) ? false : pollMs),
  });

export const runPagesQuery = (filters: RunFilters) =>
  pagesQuery(["runs", "pages", filters], "/api/runs", { ...filters, limit: 50 }, listOf<z.infer<typeof RunPage>>(), {
    staleTime: 2_000,
    refetchInterval: listPollMs,
  });

export type RunWindow = { from: string; to: string; buckets: number };

/** Counts and durations over a moving time window. The last result stays visible during a refresh. */
export function runSummaryQuery(
  name: string,
  filters: RunFilters,
  { windowNow, refreshMs }: { windowNow: () => RunWindow; refreshMs: number },
) {
  return queryOptions({
    queryKey: ["runs", "summary", name, filters],
    queryFn: ({ signal }) =>
      api(withQuery("/api/runs/summary", { ...filters, ...windowNow() }), { shape: answerOf<RunSummary>(), signal }),
    placeholderData: keepPreviousData,
    staleTime: 2_000,
    refetchInterval: refreshMs,
  });
}

/** The newest runs with pipeline steps, of one skill or of all. */
export const newestRunsQuery = (filters: RunFilters, limit = 100) =>
  answerQuery(
    ["runs", "newest", filters, limit],
    withQuery("/api/runs", { ...filters, steps: true, limit }),
    listOf<z.infer<typeof RunPage>>(),
    {
      staleTime: 2_000,
      refetchInterval: 15_000,
    },
  );

type StartRun = {
  skillId: string;
  args: Record<string, unknown>;
  confirm: boolean;
  sop?: string | undefined;
  workerId?: string;
  idempotencyKey: string;
};

export const startRun = ({ skillId, args, confirm, sop, workerId, idempotencyKey }: StartRun) =>
  api(`${skillPath(skillId)}/runs`, {
    method: "POST",
    body: { args, ...(confirm ? { confirm: true } : {}), ...(sop ? { sop } : {}), ...(workerId ? { workerId } : {}) },
    headers: { "idempotency-key": idempotencyKey },
    shape: answerOf<Run>(),
  });

/** Dry run: the result of requesting this run. Starts nothing, and fails as the request would. */
export function tryRunQuery(skillId: string, args: Record<string, unknown>, sop: string | undefined) {
  return queryOptions({
    queryKey: ["run-trial", skillId, args, sop ?? null],
    queryFn: ({ signal }) =>
      api(`${skillPath(skillId)}/runs`, {
        method: "POST",
        body: { args, dryRun: true, ...(sop ? { sop } : {}) },
        shape: answerOf<DryRun>(),
        signal,
      }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
}

export const cancelRun = (id: string) => sendPost(`/api/runs/${encodeURIComponent(id)}/cancel`, answerOf<Run>());

/** Cancels up to 100 runs, with one result each. */
export const cancelRuns = (ids: readonly string[], reason: string) =>
  sendPost("/api/runs/cancel", answerOf<CancelRunsAnswer>(), { ids, reason });

/** Edges that can run a skill, online ones first. */
export function edgesQuery(skillId: string) {
  return queryOptions({
    queryKey: ["edges", skillId],
    queryFn: async ({ signal }) => {
      const page = await api(withQuery("/api/edges", { skill: skillId }), {
        shape: listOf<z.infer<typeof EdgePage>>(),
        signal,
      });
      return page.items.filter((edge) => edge.offers);
    },
    staleTime: 5_000,
    refetchInterval: 15_000,
  });
}

type StartGroup = { skillId: string; args: Record<string, unknown>; edges: readonly string[]; confirm: boolean };

export const startRunGroup = ({ skillId, args, edges, confirm }: StartGroup) =>
  sendPost(`${skillPath(skillId)}/runs`, answerOf<RunGroup>(), { args, edges, ...(confirm ? { confirm: true } : {}) });
