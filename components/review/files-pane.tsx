import { SquareTerminal } from "lucide-react";
import { DiagnosticList } from "@/components/code/diagnostic-list";
import { countOf } from "@/components/skills/skill-labels";
import { cn } from "@/components/ui/cn";
import { CountBadge } from "@/components/ui/count-badge";
import { FileTree } from "@/components/ui/file-tree";
import type { Diagnostic } from "@/lib/skill-format/schema";
import type { FileDiff, Version, VersionFile, VersionFinding } from "@/lib/skills/versions/schema";
import { FindingItem } from "./finding-item";
import type { ReviewState } from "./use-review-state";

type FilesPaneProps = {
  version: Version;
  review: ReviewState /** A file was chosen: show it. */;
  onOpened: () => void;
};

export function FilesPane({ version, review, onOpened }: FilesPaneProps) {
  const { diagnostics, findings } = version;
  const openFindings = findings.filter((finding) => finding.dismissed === null);
  const open = (path: string) => {
    review.open(path);
    onOpened();
  };
  const jump = (diagnostic: Diagnostic) => {
    review.jump(diagnostic);
    onOpened();
  };
  const jumpTo = (finding: VersionFinding) => {
    review.jumpToFinding(finding);
    onOpened();
  };
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
      <header className="flex h-11 shrink-0 items-center justify-between gap-2 border-b px-4">
        <h2 className="text-sm">Files</h2>
        <span className={cn("text-muted-foreground text-xs tabular-nums", version.state !== "pending" && "hidden")}>
          {review.toRead - review.unread.length} of {review.toRead} {review.changed ? "changes read" : "opened"}
        </span>
      </header>
      <FileTree
        files={version.files}
        label="Files of the version"
        selected={(review.view === "changes" ? review.shownChange?.path : review.file?.path) ?? null}
        onSelect={open}
        aside={(file) => (
          <FileMarks
            file={file}
            count={[...openFindings, ...diagnostics].filter(({ path }) => path === file.path).length}
            change={review.changed?.find(({ path }) => path === file.path)?.change}
            isUnread={version.state === "pending" && review.unread.some(({ path }) => path === file.path)}
          />
        )}
        className="p-2"
      />
      <header className="mt-2 flex h-11 shrink-0 items-center justify-between border-y px-4">
        <h2 className="text-sm">Findings</h2>
        <span className="text-muted-foreground text-xs">
          {version.scan.state === "pending" ? "Scanning" : `${openFindings.length} open`}
        </span>
      </header>
      <FindingList version={version} active={review.finding} onJump={jumpTo} />
      <header className="mt-2 flex h-11 shrink-0 items-center justify-between border-y px-4">
        <h2 className="text-sm">Parser warnings</h2>
        <span className="text-muted-foreground text-xs tabular-nums">{diagnostics.length}</span>
      </header>
      {diagnostics.length === 0 ? (
        <p className="px-4 py-3 text-13 text-muted-foreground">No parser warnings</p>
      ) : (
        <div className="p-2">
          <DiagnosticList diagnostics={diagnostics} onJump={jump} active={review.diagnostic} />
        </div>
      )}
    </div>
  );
}

type FileMarksProps = {
  file: VersionFile;
  /** Findings and diagnostics. */
  count: number;
  change: FileDiff["change"] | undefined;
  isUnread: boolean;
};

function FileMarks({ file, count, change, isUnread }: FileMarksProps) {
  return (
    <span className="flex items-center gap-1.5 font-normal text-muted-foreground text-xs">
      {file.mode === "755" ? (
        <span title="Executable">
          <SquareTerminal aria-hidden />
          <span className="sr-only">executable</span>
        </span>
      ) : null}
      <CountBadge count={count} label="findings and warnings" tone="warning" />
      {isUnread ? (
        <span className="font-medium text-foreground" title={change ? `${changeLabel(change)}, unread` : undefined}>
          unread
        </span>
      ) : change ? (
        changeLabel(change)
      ) : null}
    </span>
  );
}

const changeLabel = (change: FileDiff["change"]) => (change === "added" ? "new" : "changed");

type FindingListProps = {
  version: Version;
  active: VersionFinding | undefined;
  onJump: (finding: VersionFinding) => void;
};

function FindingList({ version, active, onJump }: FindingListProps) {
  const { findings, scan } = version;
  const open = findings.filter((finding) => finding.dismissed === null);
  const dismissed = findings.filter((finding) => finding.dismissed !== null);
  if (scan.state === "pending") {
    return (
      <p role="status" className="px-4 py-3 text-13 text-muted-foreground">
        Scan in progress. Findings appear here automatically.
      </p>
    );
  }
  const item = (finding: VersionFinding) => (
    <FindingItem
      key={finding.fingerprint}
      skillId={version.skillId}
      digest={version.digest}
      finding={finding}
      you={version.you}
      isActive={finding.fingerprint === active?.fingerprint}
      onJump={() => onJump(finding)}
    />
  );
  return (
    <div className="p-2">
      {scan.state === "incomplete" ? (
        <p className="px-2 py-1.5 text-13 text-warning">
          Scan incomplete. A finding below names the part that could not be scanned.
        </p>
      ) : null}
      {open.length === 0 ? (
        <p className="px-2 py-1.5 text-13 text-muted-foreground">
          {dismissed.length > 0 ? "No open findings." : "No findings."} This does not mean the skill is safe: read the
          source.
        </p>
      ) : (
        <ul className="flex flex-col gap-px">{open.map(item)}</ul>
      )}
      {findings.length > 0 ? (
        <a
          className="block px-2 py-1 text-13 underline underline-offset-2"
          href={`/api/skills/${version.skillId}/versions/${version.digest}/findings/sarif`}
          download={`${version.digest.slice(0, 12)}.sarif`}
        >
          Download findings (SARIF)
        </a>
      ) : null}
      {dismissed.length > 0 ? (
        <details className="mt-2">
          <summary className="cursor-pointer rounded-sm px-2 py-1 text-13 text-muted-foreground">
            {countOf(dismissed.length, "dismissed finding")}
          </summary>
          <ul className="flex flex-col gap-px">{dismissed.map(item)}</ul>
        </details>
      ) : null}
    </div>
  );
}
