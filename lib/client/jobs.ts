import { queryOptions } from "@tanstack/react-query";
import { Job, JobList } from "@/lib/jobs/schema";
import { api } from "./api";

export type { Job, JobList };

/** The server's background work, each job with its last run. */
export const jobsQuery = queryOptions({
  queryKey: ["jobs"],
  queryFn: ({ signal }) => api("/api/admin/jobs", { schema: JobList, signal }),
  staleTime: 1_000,
  refetchInterval: 3_000,
});

export function runJobNow(name: string): Promise<Job> {
  return api(`/api/admin/jobs/${encodeURIComponent(name)}/run`, { method: "POST", schema: Job });
}
