import { keepPreviousData } from "@tanstack/react-query";
import type { z } from "zod";
import type {
  CreateScheduleInput,
  Overlap,
  Schedule,
  SchedulePage,
  SchedulePreview,
  UpdateScheduleInput,
} from "@/lib/runner/schedules/schema";
import type { Run } from "@/lib/runner/schema";
import { answerOf, listOf, sendDelete, sendPatch, sendPost, withQuery } from "./api";
import { answerQuery, pagesQuery } from "./queries";

export type { Overlap, Schedule };

export type NewSchedule = z.input<typeof CreateScheduleInput>;
export type SchedulePatch = z.input<typeof UpdateScheduleInput>;

export const schedulesKey = ["schedules"] as const;

/** Visible schedules, newest first; polled, because their next times change. */
export const schedulesQuery = pagesQuery(
  [...schedulesKey, "pages"],
  "/api/schedules",
  { limit: 50 },
  listOf<z.infer<typeof SchedulePage>>(),
  {
    staleTime: 2_000,
    refetchInterval: 5_000,
  },
);

/** Next times of a cron expression; fails with its error. */
export const previewQuery = (cron: string, timeZone: string) =>
  answerQuery(
    [...schedulesKey, "preview", cron, timeZone],
    withQuery("/api/schedules/preview", { cron, timeZone }),
    answerOf<SchedulePreview>(),
    { placeholderData: keepPreviousData, staleTime: 30_000, retry: false },
  );

export const createSchedule = (input: NewSchedule) => sendPost("/api/schedules", answerOf<Schedule>(), input);

export const updateSchedule = (id: string, patch: SchedulePatch) =>
  sendPatch(`/api/schedules/${id}`, answerOf<Schedule>(), patch);

export const deleteSchedule = (id: string) => sendDelete(`/api/schedules/${id}`);

export const runSchedule = (id: string) => sendPost(`/api/schedules/${id}/run`, answerOf<Run>());
