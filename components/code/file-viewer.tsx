import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { QueryState } from "@/components/state/query-state";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { CopyButton } from "@/components/ui/copy-button";
import { Digest } from "@/components/ui/digest";
import { EmptyState } from "@/components/ui/empty-state";
import { formatBytes } from "@/components/ui/format-bytes";
import { Skeleton } from "@/components/ui/skeleton";
import { filePath, fileTextQuery } from "@/lib/client/versions";
import type { Diagnostic } from "@/lib/skill-format/schema";
import type { VersionFile } from "@/lib/skills/versions/schema";
import { FoldCounter } from "./hidden-notice";
import { FileFacts, SourceText } from "./source-file";

type FileViewerProps = {
  skillId: string;
  digest: string;
  file: VersionFile;
  notes?: readonly Diagnostic[];
  target: number | null;
  onTarget: (line: number) => void;
  actions?: ReactNode;
  /** Another view, shown in place of the source; `counted` names the elements that its fold counter counts. */
  children?: ReactNode;
  counted?: { selector: string; noun: string } | undefined;
  /** Another view of the file, shown beside this one with its own scrolling. */
  beside?: ReactNode;
  /** Must limit the height, since the source scrolls inside. */
  className?: string;
};

/** A stored file: its facts and its source with line numbers; for a binary, size and hash. */
export function FileViewer(props: FileViewerProps) {
  const { skillId, digest, file, actions, children, counted, beside, className } = props;
  const scroller = useRef<HTMLDivElement>(null);
  return (
    <div className={cn("flex min-h-0 min-w-0 flex-col", className)}>
      <header className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-b px-3 py-1.5 text-13">
        <FileFacts file={file} />
        <Digest value={file.sha256} label="file SHA-256" />
        <span className="ml-auto flex items-center gap-1">
          {actions}
          <Button asChild size="sm" variant="ghost">
            <a href={filePath(skillId, digest, file.path)} download={file.path.split("/").at(-1)}>
              <Download aria-hidden />
              <span className="max-sm:sr-only">Download</span>
            </a>
          </Button>
        </span>
      </header>
      <div className="flex min-h-0 flex-1">
        <div className="relative min-w-0 flex-1">
          <div
            ref={scroller}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
            tabIndex={0}
            className="h-full overflow-y-auto focus-visible:-outline-offset-2"
          >
            {children ?? <Source {...props} scroller={scroller} />}
          </div>
          <FoldCounter scroller={scroller} {...counted} />
        </div>
        {beside ? (
          <div
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
            tabIndex={0}
            className="min-w-0 flex-1 overflow-y-auto border-l focus-visible:-outline-offset-2"
          >
            {beside}
          </div>
        ) : null}
      </div>
    </div>
  );
}

type SourceProps = FileViewerProps & { scroller: React.RefObject<HTMLDivElement | null> };

function Source({ file, ...rest }: SourceProps) {
  if (file.isText) return <TextSource file={file} {...rest} />;
  return (
    <EmptyState
      title={`Binary file, ${formatBytes(file.size)}`}
      description={
        <>
          <p>Binary files are not shown. Download the file to inspect it.</p>
          <p className="mt-2 flex items-center justify-center gap-1 font-mono text-xs [overflow-wrap:anywhere]">
            sha256 {file.sha256}
            <CopyButton value={file.sha256} label="Copy SHA-256" />
          </p>
        </>
      }
    />
  );
}

function TextSource({ skillId, digest, file, notes = [], target, onTarget, scroller }: SourceProps) {
  const query = useQuery(fileTextQuery(skillId, digest, file));
  return (
    <QueryState query={query} loading={<SourceSkeleton />} errorTitle="The file could not be loaded.">
      {(text) => (
        <SourceText
          path={file.path}
          text={text}
          notes={notes}
          target={target}
          onTarget={onTarget}
          scroller={scroller}
        />
      )}
    </QueryState>
  );
}

function SourceSkeleton() {
  return (
    <div role="status" aria-busy="true" className="flex flex-col gap-2 p-4">
      <span className="sr-only">Loading the file</span>
      {["w-2/5", "w-3/5", "w-1/2", "w-4/5", "w-1/3", "w-2/3"].map((width) => (
        <Skeleton key={width} className={width} />
      ))}
    </div>
  );
}
