import { queryOptions } from "@tanstack/react-query";
import { Backup, BackupList } from "@/lib/backup/schema";
import { api } from "./api";

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
