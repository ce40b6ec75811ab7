import { infiniteQueryOptions, keepPreviousData } from "@tanstack/react-query";
import type { z } from "zod";
import type { AgentView } from "@/lib/agent/preamble/schema";
import type {
  AgentSessionFacets,
  AgentSessionItem,
  AgentSessionPage,
  AgentSessionTrace,
  AgentStepKind,
} from "@/lib/agent/sessions/schema";
import { answerOf, api, listOf, withQuery } from "./api";
import { answerQuery, pagesQuery } from "./queries";

export type { AgentStepKind };

export const SESSION_FILTER_KEYS = ["persona", "token", "user", "client", "from", "to"] as const;
export type SessionFilters = Partial<Record<(typeof SESSION_FILTER_KEYS)[number], string>>;
export type StepFilters = { kind?: string; skill?: string };

/** A session that was active within this time counts as live. */
const LIVE_MS = 5 * 60_000;
const liveRefreshMs = 2_000;
const listRefreshMs = 5_000;

type Seen = Pick<AgentSessionItem, "lastSeenAt" | "endedAt">;

export function mayStillRun({ lastSeenAt, endedAt }: Seen, now: number): boolean {
  return endedAt === null && now - Date.parse(lastSeenAt) < LIVE_MS;
}

export const sessionPagesQuery = (filters: SessionFilters) =>
  pagesQuery(
    ["agents", "sessions", filters],
    "/api/agent/sessions",
    { ...filters, limit: 50 },
    listOf<z.infer<typeof AgentSessionPage>>(),
    {
      staleTime: 2_000,
      refetchInterval: listRefreshMs,
    },
  );

/** One session with its steps; polled every two seconds while it is live. */
export function sessionQuery(id: string, filters: StepFilters) {
  return infiniteQueryOptions({
    queryKey: ["agents", "session", id, filters],
    queryFn: ({ pageParam, signal }) =>
      api(withQuery(`/api/agent/sessions/${encodeURIComponent(id)}`, { ...filters, limit: 50, cursor: pageParam }), {
        shape: answerOf<AgentSessionTrace>(),
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.steps.nextCursor,
    placeholderData: keepPreviousData,
    staleTime: 1_000,
    refetchInterval: ({ state }) => {
      const session = state.data?.pages[0];
      return session && mayStillRun(session, Date.now()) ? liveRefreshMs : 30_000;
    },
  });
}

export const sessionFacetsQuery = answerQuery(
  ["agents", "facets"],
  "/api/agent/sessions/facets",
  answerOf<AgentSessionFacets>(),
  {
    staleTime: 10_000,
    refetchInterval: 30_000,
  },
);

export type AgentViewChoice = {
  persona?: string;
  capabilities?: string;
  message?: string;
  format: "xml" | "markdown" | "json";
  mode: "summary" | "names" | "off";
  saves?: "true";
};

export const agentViewQuery = (query: AgentViewChoice) =>
  answerQuery(["agents", "view", query], withQuery("/api/agent/view", query), answerOf<AgentView>(), {
    placeholderData: keepPreviousData,
    staleTime: 2_000,
  });
