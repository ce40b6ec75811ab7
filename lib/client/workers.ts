import type { z } from "zod";
import type { CreatedWorker, CreateWorkerInput, WorkerPage } from "@/lib/runner/schema";
import type { Inventory } from "@/lib/runner/workers/schema";

import type { WorkerAllowanceList } from "@/lib/skills/access/schema";
import { answerOf, api, listOf, sendDelete, sendPost } from "./api";
import { answerQuery } from "./queries";

export const workersQuery = answerQuery(["workers"], "/api/admin/workers", listOf<z.infer<typeof WorkerPage>>(), {
  staleTime: 2_000,
  refetchInterval: 5_000,
});

export type WorkerAllowanceItem = WorkerAllowanceList["items"][number];

export const workerAllowancesQuery = answerQuery(
  ["workers", "allowances"],
  "/api/worker-allowances",
  listOf<WorkerAllowanceList>(),
  { staleTime: 10_000 },
);

export const addWorker = (input: CreateWorkerInput) =>
  sendPost("/api/admin/workers", answerOf<z.infer<typeof CreatedWorker>>(), input);

export const revokeWorker = (id: string) => sendDelete(`/api/admin/workers/${id}`);

/** Inventory of a worker; polled, because a worker watches its directories. */
export const inventoryQuery = (id: string) =>
  answerQuery(["workers", "inventory", id], `/api/admin/workers/${id}/inventory`, answerOf<Inventory>(), {
    staleTime: 2_000,
    refetchInterval: 5_000,
  });

export const rescanWorker = (id: string) => api<void>(`/api/admin/workers/${id}/rescan`, { method: "POST" });
