import { structuredPatch } from "diff";
import type { BaseFile } from "@/lib/client/editing";
import type { FileDiff } from "@/lib/skills/schema";
import { changeOf, type EditorFile } from "./editor-file";

/** What an edit changes in a stored version, file by file. Without lines where one side is not a text that was fetched. */
export function diffFiles(before: readonly BaseFile[], after: readonly EditorFile[]): FileDiff[] {
  const paths = [...new Set([...before, ...after].map((file) => file.path))].sort();
  return paths.flatMap((path) => {
    const old = before.find((file) => file.path === path);
    const now = after.find((file) => file.path === path);
    if (now && changeOf(now, before) === "same") return [];
    return [
      {
        path,
        change: old ? (now ? "changed" : "removed") : "added",
        modeBefore: old?.mode ?? null,
        modeAfter: now?.mode ?? null,
        hunks: hunksOf(old, now),
      } satisfies FileDiff,
    ];
  });
}

function hunksOf(old: BaseFile | undefined, now: EditorFile | undefined): FileDiff["hunks"] {
  const before = old ? old.text : "";
  const after = now ? (now.content.kind === "text" ? now.content.text : null) : "";
  if (before === null || after === null) return null;
  const patch = structuredPatch("a", "b", before, after, "", "", { context: 3, timeout: 1000 });
  return patch ? patch.hunks : null;
}
