import { queryOptions } from "@tanstack/react-query";
import { Backup, BackupList } from "@/lib/backup/schema";
import { System } from "@/lib/http/system/schema";
import { Job, JobList } from "@/lib/jobs/schema";
import { api } from "./api";

export type { System };

/** The state of the instance, as the process sees it that answers. */
export const systemQuery = queryOptions({
  queryKey: ["system"],
  queryFn: ({ signal }) => api("/api/admin/system", { schema: System, signal }),
  staleTime: 5_000,
  refetchInterval: 10_000,
});

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

export type { Backup, BackupList };

/** The backups of the instance, newest first, and when the next is made. */
export const backupsQuery = queryOptions({
  queryKey: ["backups"],
  queryFn: ({ signal }) => api("/api/admin/backups", { schema: BackupList, signal }),
  staleTime: 5_000,
  refetchInterval: 10_000,
});

/** Answers once the backup is on the disk and was checked. */
export function makeBackup(): Promise<Backup> {
  return api("/api/admin/backups", { method: "POST", body: {}, schema: Backup });
}
