import { Backup, BackupList } from "@/lib/backup/schema";
import { System } from "@/lib/http/schema";
import { Job, JobList } from "@/lib/jobs/schema";
import { sendPost } from "./api";
import { answerQuery } from "./queries";

/** The state of the instance, as the process sees it that answers. */
export const systemQuery = answerQuery(["system"], "/api/admin/system", System, {
  staleTime: 5_000,
  refetchInterval: 10_000,
});

/** The server's background work, each job with its last run. */
export const jobsQuery = answerQuery(["jobs"], "/api/admin/jobs", JobList, {
  staleTime: 1_000,
  refetchInterval: 3_000,
});

export const runJobNow = (name: string) => sendPost(`/api/admin/jobs/${encodeURIComponent(name)}/run`, Job);

/** The backups of the instance, newest first, and when the next is made. */
export const backupsQuery = answerQuery(["backups"], "/api/admin/backups", BackupList, {
  staleTime: 5_000,
  refetchInterval: 10_000,
});

/** Answers once the backup is on the disk and was checked. */
export const makeBackup = () => sendPost("/api/admin/backups", Backup, {});
