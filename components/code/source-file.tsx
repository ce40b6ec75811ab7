import { type RefObject, useMemo } from "react";
import { Badge } from "@/components/ui/badge";
import { EmptyState } from "@/components/ui/empty-state";
import { formatBytes } from "@/components/ui/format-bytes";
import type { Diagnostic } from "@/lib/skill-format/schema";
import { CodeViewer } from "./code-viewer";
import { HiddenNotice, RevealedText } from "./hidden-notice";

type FileFactsProps = { file: { path: string; mode: "644" | "755"; size: number } };

type SourceTextProps = {
  path: string;
  text: string;
  notes: readonly Diagnostic[];
  target: number | null;
  onTarget: (line: number) => void;
  scroller: RefObject<HTMLDivElement | null>;
};

export function SourceText({ path, text, notes, target, onTarget, scroller }: SourceTextProps) {
  const own = useMemo(() => notes.filter((note) => note.path === path), [notes, path]);
  if (text === "") return <EmptyState title="This file is empty" />;
  return (
    <>
      <HiddenNotice text={text} onJump={onTarget} />
      <CodeViewer
        text={text}
        label={`Source of ${path}`}
        path={path}
        notes={own}
        target={target}
        onTarget={onTarget}
        scroller={scroller}
      />
    </>
  );
}

export function FileFacts({ file }: FileFactsProps) {
  return (
    <>
      <RevealedText text={file.path} className="min-w-0 font-medium font-mono text-xs [overflow-wrap:anywhere]" />
      {file.mode === "755" ? <Badge title="Mode 755: the file can be run as a program">executable</Badge> : null}
      <span className="text-muted-foreground text-xs tabular-nums">{formatBytes(file.size)}</span>
    </>
  );
}
