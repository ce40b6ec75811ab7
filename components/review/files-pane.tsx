import { DiagnosticList } from "@/components/code/diagnostic-list";
import { countOf } from "@/components/skills/skill-labels";
import { CountBadge } from "@/components/ui/count-badge";
import { FileTree } from "@/components/ui/file-tree";
import type { Diagnostic } from "@/lib/skill-format/schema";
import type { Version, VersionFile, VersionFinding } from "@/lib/skills/versions/schema";
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
        <span className="text-muted-foreground text-xs tabular-nums">
          {review.opened.size} of {version.files.length} opened
        </span>
      </header>
      <FileTree
        files={version.files}
        label="Files of the version"
        selected={review.file?.path ?? null}
        onSelect={open}
        aside={(file) => (
          <FileMarks
            file={file}
            count={[...openFindings, ...diagnostics].filter(({ path }) => path === file.path).length}
            isOpened={review.opened.has(file.path)}
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
        <span className="text-muted-foreground text-xs">{countOf(diagnostics.length, "diagnostic")}</span>
      </header>
      {diagnostics.length === 0 ? (
        <p className="px-4 py-3 text-13 text-muted-foreground">
          No parser warnings. This does not mean the skill is safe: read the source.
        </p>
      ) : (
        <div className="p-2">
          <DiagnosticList diagnostics={diagnostics} onJump={jump} active={review.diagnostic} />
        </div>
      )}
    </div>
  );
}

type FileMarksProps = { file: VersionFile /** Findings and diagnostics. */; count: number; isOpened: boolean };

function FileMarks({ file, count, isOpened }: FileMarksProps) {
  return (
    <span className="flex items-center gap-1.5 font-normal">
      {file.mode === "755" ? (
        <span className="font-mono text-warning text-xs" title="Executable">
          x<span className="sr-only"> executable</span>
        </span>
      ) : null}
      <CountBadge count={count} label="findings and warnings" tone="warning" />
      {isOpened ? null : (
        <span className="size-1.5 rounded-full bg-primary" title="Not opened yet">
          <span className="sr-only">not opened yet</span>
        </span>
      )}
    </span>
  );
}

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
      mayDismiss={version.you.mayDismiss}
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
