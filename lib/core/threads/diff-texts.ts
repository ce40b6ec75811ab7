import { structuredPatch } from "diff";
import { runTask } from "./run-task";

const MAX_MS = 2_000;
/** Comparisons within both limits take a few milliseconds: characters of both texts, and lines that differ. */
const MAX_INLINE_CHARS = 64 * 1024;
const MAX_INLINE_EDITS = 100;

/** Hunks with three lines around each change; null when the comparison takes longer than two seconds. */
export async function diffTexts(before: string, after: string): ReturnType<typeof runTask<"diff">> {
  if (before.length + after.length <= MAX_INLINE_CHARS) {
    const patch = structuredPatch("a", "b", before, after, "", "", { context: 3, maxEditLength: MAX_INLINE_EDITS });
    if (patch !== undefined) return patch.hunks;
  }
  return runTask("diff", { before, after, timeoutMs: MAX_MS });
}
