const HOUR_MS = 3_600_000;

type Times = { everyHours: number; newest: string | null; failedAt: Date | null; now: Date };

/** When the next backup is due by itself: at once without any, and an hour after one that failed. Null when none is. */
export function nextBackupAt({ everyHours, newest, failedAt, now }: Times): Date | null {
  if (everyHours === 0) return null;
  const due = newest === null ? 0 : Date.parse(newest) + everyHours * HOUR_MS;
  const retry = failedAt === null ? 0 : failedAt.getTime() + HOUR_MS;
  return new Date(Math.max(due, retry, now.getTime()));
}
