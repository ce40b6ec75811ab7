import { DiagnosticList } from "@/components/code/diagnostic-list";
import { countOf } from "@/components/skills/skill-words";
import { CountBadge } from "@/components/ui/count-badge";
import { FileTree } from "@/components/ui/file-tree";
import type { Diagnostic } from "@/lib/skill-format/schema";
import type { Version, VersionFile, VersionFinding } from "@/lib/skills/schema";
import { FindingList } from "./finding-list";
import type { ReviewState } from "./use-review-state";

type FilesPaneProps = {
  version: Version;
  review: ReviewState /** A file was chosen: show it. */;
  onOpened: () => void;
};

/** The files, each with what was found in it, and below them all findings and what the reader noticed. */
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
          {version.scan.state === "pending" ? "scanning" : `${openFindings.length} open`}
        </span>
      </header>
      <FindingList version={version} active={review.finding} onJump={jumpTo} />
      <header className="mt-2 flex h-11 shrink-0 items-center justify-between border-y px-4">
        <h2 className="text-sm">Noticed by the reader</h2>
        <span className="text-muted-foreground text-xs">{countOf(diagnostics.length, "diagnostic")}</span>
      </header>
      {diagnostics.length === 0 ? (
        <p className="px-4 py-3 text-13 text-muted-foreground">
          The reader noticed nothing. That is not a verdict: read the source.
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
      <CountBadge count={count} label="findings and diagnostics" tone="warning" />
      {isOpened ? null : (
        <span className="size-1.5 rounded-full bg-primary" title="Not opened yet">
          <span className="sr-only">not opened yet</span>
        </span>
      )}
    </span>
  );
}
