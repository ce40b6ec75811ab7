import { queryOptions } from "@tanstack/react-query";
import { CreatedWorker, type CreateWorkerInput, type Worker, WorkerPage } from "@/lib/runner/schema";
import { api } from "./api";

export type { Worker };

export const workersQuery = queryOptions({
  queryKey: ["workers"],
  queryFn: ({ signal }) => api("/api/admin/workers", { schema: WorkerPage, signal }),
  staleTime: 2_000,
  refetchInterval: 5_000,
});

export function addWorker(input: CreateWorkerInput) {
  return api("/api/admin/workers", { method: "POST", body: input, schema: CreatedWorker });
}

export function revokeWorker(id: string): Promise<void> {
  return api(`/api/admin/workers/${id}`, { method: "DELETE" });
}
