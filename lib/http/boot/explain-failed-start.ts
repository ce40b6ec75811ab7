import { freeSpace, isStorageFull, mebibytes } from "@/lib/core/free-space";
import { DataDirectoryInUse } from "@/lib/core/lock-data-directory";

/** What to say of a start that failed, and whether the same start may succeed later without anybody's doing. */
export function explainFailedStart(error: unknown, dataDir: string): { problems: string[]; canRetry: boolean } {
  if (isStorageFull(error, dataDir)) {
    const free = freeSpace(dataDir);
    const left = free === null ? "no space is left" : `${mebibytes(free)} are left`;
    const problem = `The disk of ${dataDir} is full (${left}). Nothing is lost; make space, and start again.`;
    return { problems: [problem], canRetry: true };
  }
  const problems = [error instanceof Error ? error.message : String(error)];
  return { problems, canRetry: error instanceof DataDirectoryInUse };
}
