import { freeSpace, isStorageFull, mebibytes } from "@/lib/core/free-space";

/** What to say of a start that failed, and whether the same start may succeed later without anybody's doing. */
export function explainFailedStart(error: unknown, dataDir: string): { problems: string[]; canRetry: boolean } {
  if (isStorageFull(error, dataDir)) {
    const free = freeSpace(dataDir);
    const left = free === null ? "no space is left" : `${mebibytes(free)} are left`;
    const problem = `The disk of ${dataDir} is full (${left}). Nothing is lost; make space, and start again.`;
    return { problems: [problem], canRetry: true };
  }
  return { problems: [error instanceof Error ? error.message : String(error)], canRetry: false };
}
