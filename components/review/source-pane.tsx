"use client";

import { useMemo } from "react";
import { FileViewer } from "@/components/code/file-viewer";
import { VersionComparison } from "@/components/skills/detail/version-comparison";
import { useUrlState } from "@/components/state/use-url-params";
import { EmptyState } from "@/components/ui/empty-state";
import { SegmentedControl } from "@/components/ui/segmented-control";
import type { Skill, Version } from "@/lib/skills/schema";
import { noteOf } from "./finding-words";
import { RenderedFile } from "./rendered-file";
import type { ReviewState } from "./use-review-state";

type SourcePaneProps = { skill: Skill; version: Version; review: ReviewState };
type View = "source" | "both" | "rendered" | "changes";

/** The source first, as it is stored; beside it or instead the rendered text, or what changes, on request. */
export function SourcePane({ skill, version, review }: SourcePaneProps) {
  const [wanted, setWanted] = useUrlState("show", "source");
  const { file } = review;
  const notes = useMemo(
    () => [...version.findings.filter(({ dismissed }) => dismissed === null).map(noteOf), ...version.diagnostics],
    [version.findings, version.diagnostics],
  );
  if (!file) return <EmptyState title="This version has no files" />;

  const isMarkdown = file.isText && /\.(md|markdown)$/i.test(file.path);
  const approved = skill.currentVersion?.digest;
  const isUpdate = approved !== undefined && approved !== version.digest;
  const options: { value: View; label: string }[] = [
    { value: "source", label: "Source" },
    ...(isMarkdown
      ? [
          { value: "both" as const, label: "Side by side" },
          { value: "rendered" as const, label: "Rendered" },
        ]
      : []),
    ...(isUpdate ? [{ value: "changes" as const, label: "Changes" }] : []),
  ];
  const view = options.find(({ value }) => value === wanted)?.value ?? "source";

  return (
    <FileViewer
      key={file.path}
      skillId={skill.id}
      digest={version.digest}
      file={file}
      notes={notes}
      target={review.target}
      onTarget={review.setTarget}
      className="flex-1 max-xl:h-[calc(100dvh-13rem-var(--bottombar-height))] max-xl:flex-none"
      counted={view === "rendered" ? { selector: ".prose > *", noun: "block" } : undefined}
      beside={view === "both" ? <RenderedFile skillId={skill.id} version={version} file={file} /> : undefined}
      actions={
        options.length > 1 ? (
          <SegmentedControl label="Show the file as" value={view} onValueChange={setWanted} options={options} />
        ) : null
      }
    >
      {view === "rendered" ? (
        <RenderedFile skillId={skill.id} version={version} file={file} />
      ) : view === "changes" ? (
        <div className="p-3">
          <VersionComparison skillId={skill.id} digest={version.digest} />
        </div>
      ) : undefined}
    </FileViewer>
  );
}
