import { CreatedWorker, type CreateWorkerInput, WorkerPage } from "@/lib/runner/schema";
import { Inventory } from "@/lib/runner/workers/schema";

import { WorkerAllowanceList } from "@/lib/skills/access/schema";
import { api, sendDelete, sendPost } from "./api";
import { answerQuery } from "./queries";

export const workersQuery = answerQuery(["workers"], "/api/admin/workers", WorkerPage, {
  staleTime: 2_000,
  refetchInterval: 5_000,
});

export type WorkerAllowanceItem = WorkerAllowanceList["items"][number];

export const workerAllowancesQuery = answerQuery(
  ["workers", "allowances"],
  "/api/worker-allowances",
  WorkerAllowanceList,
  { staleTime: 10_000 },
);

export const addWorker = (input: CreateWorkerInput) => sendPost("/api/admin/workers", CreatedWorker, input);

export const revokeWorker = (id: string) => sendDelete(`/api/admin/workers/${id}`);

/** Inventory of a worker; polled, because a worker watches its directories. */
export const inventoryQuery = (id: string) =>
  answerQuery(["workers", "inventory", id], `/api/admin/workers/${id}/inventory`, Inventory, {
    staleTime: 2_000,
    refetchInterval: 5_000,
  });

export const rescanWorker = (id: string) => api<void>(`/api/admin/workers/${id}/rescan`, { method: "POST" });
