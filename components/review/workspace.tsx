import { useQuery } from "@tanstack/react-query";
import { FlaskConical } from "lucide-react";
import Link from "next/link";
import { useCallback, useMemo, useRef, useState } from "react";
import { FileViewer } from "@/components/code/file-viewer";
import { RevealedText } from "@/components/code/hidden-notice";
import { Markdown } from "@/components/markdown/markdown";
import { isWaiting, playgroundHref } from "@/components/playground/choice";
import { useShortcut } from "@/components/shell/use-shortcut";
import { countOf, displayName, kindLabels, reviewHref, skillHref } from "@/components/skills/skill-labels";
import { VersionComparison } from "@/components/skills/versions/version-comparison";
import { QueryState } from "@/components/state/query-state";
import { useUrlState } from "@/components/state/use-url-params";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { Digest } from "@/components/ui/digest";
import { EmptyState } from "@/components/ui/empty-state";
import { formatBytes } from "@/components/ui/format-bytes";
import { PaneNav } from "@/components/ui/pane-nav";
import { SegmentedControl } from "@/components/ui/segmented-control";
import { StateChip } from "@/components/ui/state-chip";
import { fileTextQuery } from "@/lib/client/versions";
import type { Skill } from "@/lib/skills/schema";
import type { Version, VersionFile } from "@/lib/skills/versions/schema";
import { DecisionPanel } from "./decision-panel";
import { FilesPane } from "./files-pane";
import { diagnosticOf } from "./finding-labels";
import { type ReviewState, useReviewState } from "./use-review-state";

type WorkspaceProps = { skill: Skill; version: Version };
type Pane = "files" | "source" | "decision";

export function Workspace({ skill, version }: WorkspaceProps) {
  const review = useReviewState(version);
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
  const unopened = review.files.length - review.opened.size;
  const tabs = [
    { key: "files", label: "Files", count: openFindings, what: "open findings" },
    { key: "source", label: "Source", count: unopened, what: "files not opened yet" },
    { key: "decision", label: "Decision" },
  ] as const;
  const shown = (key: Pane) => cn("min-h-0 min-w-0 flex-col xl:flex", pane === key ? "flex flex-1" : "hidden");

  return (
    <div className="flex min-h-0 flex-1 flex-col xl:h-[calc(100dvh-var(--topbar-height))] xl:flex-none xl:in-data-banner:h-[calc(100dvh-var(--topbar-height)-2.25rem)]">
      <WorkspaceHeader skill={skill} version={version} />
      <PaneNav label="Review panes" panes={tabs} current={pane} onChoose={setPane} className="px-4 xl:hidden" />
      <div className="flex min-h-0 flex-1 flex-col xl:grid xl:grid-cols-[19rem_minmax(0,1fr)_24rem]">
        <section aria-label="Files and findings" className={cn(shown("files"), "xl:border-r")}>
          <FilesPane version={version} review={review} onOpened={() => setPane("source")} />
        </section>
        <section aria-label="Source" className={shown("source")}>
          <SourcePane skill={skill} version={version} review={review} />
        </section>
        <section aria-label="Decision" className={cn(shown("decision"), "xl:border-l")}>
          <DecisionPanel
            skill={skill}
            version={version}
            unopened={review.files.filter(({ path }) => !review.opened.has(path))}
            onOpen={(path, line) => {
              review.open(path, line);
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

function WorkspaceHeader({ skill, version }: { skill: Skill; version: Version }) {
  const bytes = version.files.reduce((sum, file) => sum + file.size, 0);
  const isUpdate = skill.currentVersion !== null && skill.currentVersion.digest !== version.digest;
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

type SourcePaneProps = { skill: Skill; version: Version; review: ReviewState };
type View = "source" | "both" | "rendered" | "changes";

/** The stored source first; on request the rendered text or the changes. */
function SourcePane({ skill, version, review }: SourcePaneProps) {
  const [wanted, setWanted] = useUrlState("show", "source");
  const { file } = review;
  const notes = useMemo(
    () => [...version.findings.filter(({ dismissed }) => dismissed === null).map(diagnosticOf), ...version.diagnostics],
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
          <SegmentedControl label="File view" value={view} onValueChange={setWanted} options={options} />
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
