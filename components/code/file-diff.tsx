import { useMemo } from "react";
import { Badge, type Tone } from "@/components/ui/badge";
import { cn } from "@/components/ui/cn";
import type { FileDiff } from "@/lib/skills/versions/schema";
import { ColouredText, useHighlight } from "./coloured-text";
import { RevealedText } from "./hidden-notice";
import type { Mark } from "./highlight-code";

const changeLabels: Record<FileDiff["change"], { label: string; tone: Tone }> = {
  added: { label: "New file", tone: "success" },
  removed: { label: "Removed", tone: "danger" },
  changed: { label: "Changed", tone: "neutral" },
};

export function FileDiffView({ file }: { file: FileDiff }) {
  const { added, removed } = countChanges(file);
  const { label, tone } = changeLabels[file.change];
  const hunks = useColouredRows(file);
  return (
    <section aria-label={`Changes in ${file.path}`} className="overflow-hidden rounded-md border">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b bg-muted px-3 py-1.5 text-13">
        <RevealedText text={file.path} className="font-medium font-mono text-xs [overflow-wrap:anywhere]" />
        {file.change === "changed" ? null : <Badge tone={tone}>{label}</Badge>}
        <ModeChange file={file} />
        <span className="ml-auto text-xs tabular-nums">
          <span className="text-success">+{added}</span> <span className="text-danger">−{removed}</span>
        </span>
      </header>
      {file.hunks === null ? (
        <p className="px-3 py-3 text-13 text-muted-foreground">
          Too large or binary: files over 1 MiB and binary files are not compared line by line.
        </p>
      ) : file.hunks.length === 0 ? (
        <p className="px-3 py-3 text-13 text-muted-foreground">The text is unchanged.</p>
      ) : (
        <div className="font-mono text-xs leading-5">
          {hunks.map(({ hunk, rows }) => (
            <Hunk key={`${hunk.oldStart}-${hunk.newStart}`} hunk={hunk} rows={rows} />
          ))}
        </div>
      )}
    </section>
  );
}

function ModeChange({ file: { modeBefore, modeAfter } }: { file: FileDiff }) {
  if (modeAfter === "755" && modeBefore !== "755") return <Badge tone="warning">Now executable</Badge>;
  if (modeBefore === "755" && modeAfter === "644") return <Badge>No longer executable</Badge>;
  return null;
}

type ColouredRow = { row: DiffRow; marks: readonly Mark[] | undefined };

/** The lines of each hunk in the colours of their language: removed ones as of the text before, the others as of the text after. */
function useColouredRows(file: FileDiff): { hunk: DiffHunk; rows: ColouredRow[] }[] {
  const { hunks, before, after } = useMemo(() => {
    const hunks = (file.hunks ?? []).map((hunk) => ({ hunk, rows: diffRows(hunk) }));
    const textOf = (side: "removed" | "added") =>
      hunks.flatMap(({ rows }) =>
        rows.filter(({ kind }) => kind === side || kind === "context").map(({ text }) => text),
      );
    return { hunks, before: textOf("removed").join("\n"), after: textOf("added").join("\n") };
  }, [file]);
  const marksBefore = useHighlight(file.path, before);
  const marksAfter = useHighlight(file.path, after);
  return useMemo(() => {
    const at = { before: 0, after: 0 };
    const marksOf = ({ kind }: DiffRow) => {
      if (kind === "note") return undefined;
      if (kind === "removed") return marksBefore?.[at.before++];
      if (kind === "context") at.before += 1;
      return marksAfter?.[at.after++];
    };
    return hunks.map(({ hunk, rows }) => ({ hunk, rows: rows.map((row) => ({ row, marks: marksOf(row) })) }));
  }, [hunks, marksBefore, marksAfter]);
}

function Hunk({ hunk, rows }: { hunk: DiffHunk; rows: readonly ColouredRow[] }) {
  return (
    <div className="border-b last:border-b-0">
      <p className="bg-muted/60 px-3 text-muted-foreground">
        @@ −{hunk.oldStart},{hunk.oldLines} +{hunk.newStart},{hunk.newLines} @@
      </p>
      {rows.map(({ row, marks }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
        <Row key={index} row={row} marks={marks} />
      ))}
    </div>
  );
}

const rowStyles: Record<DiffRow["kind"], string> = {
  context: "",
  added: "bg-success-soft",
  removed: "bg-danger-soft",
  note: "text-muted-foreground italic",
};
const signs: Record<DiffRow["kind"], { sign: string; word: string }> = {
  context: { sign: " ", word: "" },
  added: { sign: "+", word: "added: " },
  removed: { sign: "−", word: "removed: " },
  note: { sign: " ", word: "" },
};

function Row({ row, marks }: ColouredRow) {
  const { sign, word } = signs[row.kind];
  const isMarked = row.kind === "added" || row.kind === "removed";
  return (
    <div
      data-line={row.after ?? row.before ?? ""}
      data-change={isMarked ? row.kind : undefined}
      className={cn(
        "grid grid-cols-[2.75rem_2.75rem_1.25rem_1fr] max-sm:grid-cols-[2.5rem_1.25rem_1fr]",
        rowStyles[row.kind],
      )}
    >
      <span aria-hidden className="select-none pr-2 text-right text-muted-foreground tabular-nums max-sm:hidden">
        {row.before}
      </span>
      <span aria-hidden className="select-none pr-2 text-right text-muted-foreground tabular-nums">
        {row.after ?? <span className="sm:hidden">{row.before}</span>}
      </span>
      <span
        aria-hidden
        className={cn(
          "select-none text-center",
          row.kind === "added" && "text-success",
          row.kind === "removed" && "text-danger",
        )}
      >
        {sign}
      </span>
      <span className="whitespace-pre-wrap pr-3 [overflow-wrap:anywhere] [tab-size:4]">
        {isMarked ? <span className="sr-only">{word}</span> : null}
        {row.text === "" ? "\n" : <ColouredText text={row.text.slice(0, 2000)} marks={marks} />}
        {row.text.length > 2000 ? (
          <span className="text-warning"> … {row.text.length - 2000} more characters</span>
        ) : null}
      </span>
    </div>
  );
}

type DiffHunk = NonNullable<FileDiff["hunks"]>[number];
type DiffRow = {
  kind: "context" | "added" | "removed" | "note";
  before: number | null;
  after: number | null;
  text: string;
};

/** The lines of a hunk with their line numbers on both sides. */
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
