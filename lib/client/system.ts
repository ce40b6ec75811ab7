import type { Backup, BackupList } from "@/lib/backup/schema";
import type { System } from "@/lib/http/schema";
import type { Job, JobList } from "@/lib/jobs/schema";
import { answerOf, listOf, sendPost } from "./api";
import { answerQuery } from "./queries";

/** State of the instance, as seen by the answering process. */
export const systemQuery = answerQuery(["system"], "/api/admin/system", answerOf<System>(), {
  staleTime: 5_000,
  refetchInterval: 10_000,
});

export const jobsQuery = answerQuery(["jobs"], "/api/admin/jobs", listOf<JobList>(), {
  staleTime: 1_000,
  refetchInterval: 3_000,
});

export const runJobNow = (name: string) => sendPost(`/api/admin/jobs/${encodeURIComponent(name)}/run`, answerOf<Job>());

export const backupsQuery = answerQuery(["backups"], "/api/admin/backups", answerOf<BackupList>(), {
  staleTime: 5_000,
});

/** Resolves when the backup is on disk and verified. */
export const makeBackup = () => sendPost("/api/admin/backups", answerOf<Backup>(), {});
