import type { FileDiff } from "@/lib/skills/schema";

export type DiffHunk = NonNullable<FileDiff["hunks"]>[number];
export type DiffRow = {
  kind: "context" | "added" | "removed" | "note";
  before: number | null;
  after: number | null;
  text: string;
};

/** The lines of a hunk with the number that each has on either side. */
export function diffRows(hunk: DiffHunk): DiffRow[] {
  let before = hunk.oldStart;
  let after = hunk.newStart;
  return hunk.lines.map((line) => {
    const text = line.slice(1);
    switch (line[0]) {
      case "+":
        return { kind: "added", before: null, after: after++, text };
      case "-":
        return { kind: "removed", before: before++, after: null, text };
      case "\\":
        return { kind: "note", before: null, after: null, text: text.trim() };
      default:
        return { kind: "context", before: before++, after: after++, text };
    }
  });
}

export function countChanges(file: FileDiff): { added: number; removed: number } {
  const lines = (file.hunks ?? []).flatMap((hunk) => hunk.lines);
  return {
    added: lines.filter((line) => line.startsWith("+")).length,
    removed: lines.filter((line) => line.startsWith("-")).length,
  };
}
