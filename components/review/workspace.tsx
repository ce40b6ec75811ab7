import { useQuery } from "@tanstack/react-query";
import { FlaskConical } from "lucide-react";
import Link from "next/link";
import { type ReactNode, useCallback, useMemo, useRef, useState } from "react";
import { FileViewer } from "@/components/code/file-viewer";
import { FoldCounter, RevealedText } from "@/components/code/hidden-notice";
import { Markdown } from "@/components/markdown/markdown";
import { isWaiting, playgroundHref } from "@/components/playground/choice";
import { useShortcut } from "@/components/shell/use-shortcut";
import { countOf, displayName, kindLabels, reviewHref, skillHref } from "@/components/skills/skill-labels";
import { QueryState } from "@/components/state/query-state";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ClassChip } from "@/components/ui/class-chip";
import { cn } from "@/components/ui/cn";
import { deferred } from "@/components/ui/deferred/deferred";
import { Digest } from "@/components/ui/digest";
import { EmptyState } from "@/components/ui/empty-state";
import { formatBytes } from "@/components/ui/format-bytes";
import { PaneNav } from "@/components/ui/pane-nav";
import { SegmentedControl } from "@/components/ui/segmented-control";
import { Skeleton } from "@/components/ui/skeleton";
import { StateChip } from "@/components/ui/state-chip";
import { fileTextQuery } from "@/lib/client/versions";
import type { Skill } from "@/lib/skills/schema";
import type { Version, VersionFile } from "@/lib/skills/versions/schema";
import { FilesPane } from "./files-pane";
import { diagnosticOf } from "./finding-labels";
import { type FileView, type ReviewState, useReviewState } from "./use-review-state";

const VersionComparison = deferred(
  async () => (await import("@/components/skills/versions/version-comparison")).VersionComparison,
);

const panelPlaceholder = (
  <div role="status" aria-busy="true" className="flex flex-col gap-3 p-4">
    <span className="sr-only">Loading the decision</span>
    <Skeleton className="h-5 w-28" />
    <Skeleton className="h-24" />
    <Skeleton className="h-5 w-28" />
    <Skeleton className="h-32" />
  </div>
);
export const DecisionPanel = deferred(async () => (await import("./decision-panel")).DecisionPanel, panelPlaceholder);

type WorkspaceProps = { skill: Skill; version: Version };
type Pane = "files" | "source" | "decision";

export function Workspace({ skill, version }: WorkspaceProps) {
  const active = skill.currentVersion?.digest;
  const isUpdate = active !== undefined && active !== version.digest;
  const review = useReviewState(version, isUpdate);
  const [pane, setPane] = useState<Pane>("source");
  const comment = useRef<HTMLTextAreaElement>(null);
  const approve = useRef<HTMLButtonElement>(null);
  const reject = useRef<HTMLButtonElement>(null);
  const group = { group: "Review" };

  const focusIn = (element: { current: HTMLElement | null }) => {
    setPane("decision");
    requestAnimationFrame(() => element.current?.focus());
  };
  useShortcut("n", "Next file", () => review.moveFile(1), group);
  useShortcut("p", "Previous file", () => review.moveFile(-1), group);
  useShortcut("f", "Next finding", review.nextFinding, group);
  useShortcut("d", "Next parser warning", review.nextDiagnostic, group);
  useShortcut("a", "Go to “Approve version”", () => focusIn(approve), group);
  useShortcut("x", "Go to “Reject”", () => focusIn(reject), group);
  useShortcut("c", "Write a comment", () => focusIn(comment), group);

  const openFindings = version.findings.filter(({ dismissed }) => dismissed === null).length;
  const tabs = [
    { key: "files", label: "Files", count: openFindings, what: "open findings" },
    {
      key: "source",
      label: review.view === "changes" ? "Changes" : "Source",
      count: version.state === "pending" ? review.unread.length : 0,
      what: isUpdate ? "changes not read yet" : "files not opened yet",
    },
    { key: "decision", label: "Decision" },
  ] as const;
  const shown = (key: Pane) => cn("min-h-0 min-w-0 flex-col xl:flex", pane === key ? "flex flex-1" : "hidden");

  return (
    <div className="flex min-h-0 flex-1 flex-col xl:h-[calc(100dvh-var(--topbar-height))] xl:flex-none xl:in-data-banner:h-[calc(100dvh-var(--topbar-height)-2.25rem)]">
      <WorkspaceHeader skill={skill} version={version} isUpdate={isUpdate} />
      <PaneNav label="Review panes" panes={tabs} current={pane} onChoose={setPane} className="px-4 xl:hidden" />
      <div className="flex min-h-0 flex-1 flex-col xl:grid xl:grid-cols-[16.5rem_minmax(0,1fr)_23.5rem] 2xl:grid-cols-[19rem_minmax(0,1fr)_24rem]">
        <section aria-label="Files and findings" className={cn(shown("files"), "xl:border-r")}>
          <FilesPane version={version} review={review} onOpened={() => setPane("source")} />
        </section>
        <section aria-label="Source" className={shown("source")}>
          <SourcePane skill={skill} version={version} review={review} isUpdate={isUpdate} />
        </section>
        <section aria-label="Decision" className={cn(shown("decision"), "xl:border-l")}>
          <DecisionPanel
            skill={skill}
            version={version}
            unread={review.unread}
            onUnread={(item) => {
              review.openUnread(item);
              setPane("source");
            }}
            onOpen={(path, line) => {
              review.openFile(path, line);
              setPane("source");
            }}
            commentRef={comment}
            approveRef={approve}
            rejectRef={reject}
          />
        </section>
      </div>
    </div>
  );
}

function WorkspaceHeader({ skill, version, isUpdate }: { skill: Skill; version: Version; isUpdate: boolean }) {
  const bytes = version.files.reduce((sum, file) => sum + file.size, 0);
  const isServing = skill.currentVersion?.digest === version.digest;
  const mayBeTried = isServing ? skill.enabled : isWaiting(version.state);
  return (
    <header className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b px-4 py-2.5">
      <h1 className="min-w-0 truncate text-base">
        <Link href={skillHref(skill)} className="rounded-sm hover:underline">
          <RevealedText text={displayName(skill)} />
        </Link>
      </h1>
      <StateChip state={version.state} />
      <ClassChip value={version.class ?? version.proposedClass} proposed={version.class === null} />
      {isUpdate ? <Badge tone="accent">Update of version {skill.currentVersion?.number}</Badge> : null}
      <span className="inline-flex items-center gap-1 text-13 text-muted-foreground">
        version {version.number} <Digest value={version.digest} label="version digest" />
      </span>
      <span className="text-13 text-muted-foreground tabular-nums max-sm:hidden">
        {kindLabels[version.manifest.kind]}, {countOf(version.files.length, "file")}, {formatBytes(bytes)}
      </span>
      {version.manifest.kind === "playbook" && mayBeTried ? (
        <Button asChild size="sm" className="ml-auto">
          <Link href={playgroundHref(skill.id, isServing ? null : version.digest)}>
            <FlaskConical aria-hidden />
            Try
          </Link>
        </Button>
      ) : null}
    </header>
  );
}

type SourcePaneProps = { skill: Skill; version: Version; review: ReviewState; isUpdate: boolean };

/** The changes of an update, or the stored source of a file; on request its rendered text. */
function SourcePane({ skill, version, review, isUpdate }: SourcePaneProps) {
  const { file, setView } = review;
  const notes = useMemo(
    () => [...version.findings.filter(({ dismissed }) => dismissed === null).map(diagnosticOf), ...version.diagnostics],
    [version.findings, version.diagnostics],
  );
  if (!file) return <EmptyState title="This version has no files" />;

  const isMarkdown = file.isText && /\.(md|markdown)$/i.test(file.path);
  const isChanges = review.view === "changes";
  const options: { value: FileView; label: string }[] = [
    ...(isUpdate ? [{ value: "changes" as const, label: "Changes" }] : []),
    { value: "source", label: "Source" },
    ...(isMarkdown && !isChanges
      ? [
          { value: "both" as const, label: "Side by side" },
          { value: "rendered" as const, label: "Rendered" },
        ]
      : []),
  ];
  const view = options.find(({ value }) => value === review.view)?.value ?? "source";
  const choice =
    options.length > 1 ? (
      <SegmentedControl label="File view" value={view} onValueChange={setView} options={options} />
    ) : null;
  if (view === "changes") return <ChangesPane skill={skill} version={version} review={review} choice={choice} />;

  return (
    <FileViewer
      key={file.path}
      skillId={skill.id}
      digest={version.digest}
      file={file}
      notes={notes}
      target={review.target}
      onTarget={review.setTarget}
      className={paneHeight}
      counted={view === "rendered" ? { selector: ".prose > *", noun: "block" } : undefined}
      beside={view === "both" ? <RenderedFile skillId={skill.id} version={version} file={file} /> : undefined}
      actions={choice}
    >
      {view === "rendered" ? <RenderedFile skillId={skill.id} version={version} file={file} /> : undefined}
    </FileViewer>
  );
}

const paneHeight = "flex-1 max-xl:h-[calc(100dvh-13rem-var(--bottombar-height))] max-xl:flex-none";

type ChangesPaneProps = Omit<SourcePaneProps, "isUpdate"> & { choice: ReactNode };

/** All changes of an update in one scrolling pane, which knows which of them were read to their end. */
function ChangesPane({ skill, version, review, choice }: ChangesPaneProps) {
  const scroller = useRef<HTMLDivElement>(null);
  return (
    <div className={cn("flex min-h-0 min-w-0 flex-col", paneHeight)}>
      <header className="flex min-h-11 flex-wrap items-center justify-between gap-x-3 gap-y-1 border-b px-3 py-1.5 text-13">
        <h2 className="text-sm">
          Version {skill.currentVersion?.number} to {version.number}
        </h2>
        {choice}
      </header>
      <div className="relative min-h-0 flex-1">
        <div
          ref={scroller}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          tabIndex={0}
          className="relative h-full overflow-y-auto p-4 focus-visible:-outline-offset-2"
        >
          <VersionComparison
            skillId={skill.id}
            digest={version.digest}
            shown={review.shownChange}
            onRead={review.markRead}
          />
        </div>
        <FoldCounter scroller={scroller} />
      </div>
    </div>
  );
}

type RenderedFileProps = { skillId: string; version: Version; file: VersionFile };

/** A rendered Markdown file; for SKILL.md the body without the frontmatter. */
function RenderedFile({ skillId, version, file }: RenderedFileProps) {
  const query = useQuery(fileTextQuery(skillId, version.digest, file));
  const hrefOf = useCallback(
    (path: string) =>
      version.files.some((other) => other.path === path)
        ? `${reviewHref(skillId, version.digest)}?path=${encodeURIComponent(path)}`
        : null,
    [skillId, version],
  );
  return (
    <QueryState query={query} errorTitle="The file could not be loaded.">
      {(text) => (
        <div className="p-5">
          <Markdown
            text={file.path === "SKILL.md" ? version.manifest.body : text}
            path={file.path}
            fileHref={hrefOf}
            className="max-w-[46rem]"
          />
        </div>
      )}
    </QueryState>
  );
}
