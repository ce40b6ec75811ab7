import { type RefObject, useMemo } from "react";
import { EmptyState } from "@/components/ui/empty-state";
import type { Diagnostic } from "@/lib/skill-format/schema";
import { CodeViewer } from "./code-viewer";
import { HiddenNotice } from "./hidden-notice";

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
