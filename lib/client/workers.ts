import { queryOptions } from "@tanstack/react-query";
import { CreatedWorker, type CreateWorkerInput, type Worker, WorkerPage } from "@/lib/runner/schema";
import { Inventory } from "@/lib/runner/workers/schema";
import { WorkerAllowanceList } from "@/lib/skills/access/schema";
import { api } from "./api";

export type { Inventory, Worker };

export const workersQuery = queryOptions({
  queryKey: ["workers"],
  queryFn: ({ signal }) => api("/api/admin/workers", { schema: WorkerPage, signal }),
  staleTime: 2_000,
  refetchInterval: 5_000,
});

export type WorkerAllowanceItem = WorkerAllowanceList["items"][number];

/** For those who review: what the operator of each worker allows its runs. */
export const workerAllowancesQuery = queryOptions({
  queryKey: ["workers", "allowances"],
  queryFn: ({ signal }) => api("/api/worker-allowances", { schema: WorkerAllowanceList, signal }),
  staleTime: 10_000,
});

export function addWorker(input: CreateWorkerInput) {
  return api("/api/admin/workers", { method: "POST", body: input, schema: CreatedWorker });
}

export function revokeWorker(id: string): Promise<void> {
  return api(`/api/admin/workers/${id}`, { method: "DELETE" });
}

/** What a worker has; asked for again now and then, since a worker watches its directories. */
export function inventoryQuery(id: string) {
  return queryOptions({
    queryKey: ["workers", "inventory", id],
    queryFn: ({ signal }) => api(`/api/admin/workers/${id}/inventory`, { schema: Inventory, signal }),
    staleTime: 2_000,
    refetchInterval: 5_000,
  });
}

export function rescanWorker(id: string): Promise<void> {
  return api(`/api/admin/workers/${id}/rescan`, { method: "POST" });
}
