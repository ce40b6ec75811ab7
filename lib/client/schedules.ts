import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import {
  type CreateScheduleInput,
  Overlap,
  Schedule,
  SchedulePage,
  SchedulePreview,
  type UpdateScheduleInput,
} from "@/lib/runner/schedules/schema";
import { Run } from "@/lib/runner/schema";
import { api, withQuery } from "./api";

export { Overlap, type Schedule };

export type NewSchedule = z.input<typeof CreateScheduleInput>;
export type SchedulePatch = z.input<typeof UpdateScheduleInput>;

export const schedulesKey = ["schedules"] as const;

/** Schedules the caller may see, newest first; asked for again, since time moves them on. */
export const schedulesQuery = infiniteQueryOptions({
  queryKey: [...schedulesKey, "pages"],
  queryFn: ({ pageParam, signal }) =>
    api(withQuery("/api/schedules", { limit: 50, cursor: pageParam }), { schema: SchedulePage, signal }),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.nextCursor,
  staleTime: 2_000,
  refetchInterval: 5_000,
});

/** The next times of a cron expression; fails with what is wrong with it. */
export function previewQuery(cron: string, timeZone: string) {
  return queryOptions({
    queryKey: [...schedulesKey, "preview", cron, timeZone],
    queryFn: ({ signal }) =>
      api(withQuery("/api/schedules/preview", { cron, timeZone }), { schema: SchedulePreview, signal }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    retry: false,
  });
}

export function createSchedule(input: NewSchedule): Promise<Schedule> {
  return api("/api/schedules", { method: "POST", body: input, schema: Schedule });
}

export function updateSchedule(id: string, patch: SchedulePatch): Promise<Schedule> {
  return api(`/api/schedules/${id}`, { method: "PATCH", body: patch, schema: Schedule });
}

export async function deleteSchedule(id: string): Promise<void> {
  await api(`/api/schedules/${id}`, { method: "DELETE" });
}

export function runSchedule(id: string): Promise<Run> {
  return api(`/api/schedules/${id}/run`, { method: "POST", schema: Run });
}
