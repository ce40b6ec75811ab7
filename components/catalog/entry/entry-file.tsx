import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useRef } from "react";
import { FileFacts, SourceText } from "@/components/code/source-file";
import { QueryState } from "@/components/state/query-state";
import { cn } from "@/components/ui/cn";
import { CopyButton } from "@/components/ui/copy-button";
import { Digest } from "@/components/ui/digest";
import { EmptyState } from "@/components/ui/empty-state";
import { formatBytes } from "@/components/ui/format-bytes";
import { SkeletonRows } from "@/components/ui/skeleton";
import type { CatalogDetail, CatalogFile } from "@/lib/catalog/schema";
import { catalogFileQuery } from "@/lib/client/catalog";

type EntryFileProps = {
  entry: CatalogDetail;
  file: CatalogFile;
  target: number | null;
  onTarget: (line: number) => void;
  /** Must limit the height: the source scrolls inside. */
  className?: string;
};

/** One file of an entry, read from the pinned commit. */
export function EntryFile({ entry, file, target, onTarget, className }: EntryFileProps) {
  const scroller = useRef<HTMLDivElement>(null);
  return (
    <div className={cn("flex min-h-0 min-w-0 flex-col", className)}>
      <header className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-b px-3 py-1.5 text-13">
        <FileFacts file={file} />
        <Digest value={file.sha} label="git sha of the file" />
      </header>
      <div
        ref={scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
        tabIndex={0}
        className="min-h-0 flex-1 overflow-y-auto focus-visible:-outline-offset-2"
      >
        {file.kind === "file" ? (
          <Text entry={entry} file={file} target={target} onTarget={onTarget} scroller={scroller} />
        ) : (
          <NotAFile kind={file.kind} />
        )}
      </div>
    </div>
  );
}

type TextProps = Omit<EntryFileProps, "className"> & { scroller: React.RefObject<HTMLDivElement | null> };

function Text({ entry, file, target, onTarget, scroller }: TextProps) {
  const query = useQuery(catalogFileQuery(entry.id, file));
  return (
    <QueryState query={query} loading={<SkeletonRows rows={10} />} errorTitle="This file could not be loaded.">
      {({ text }) =>
        text === null ? (
          <Unreadable file={file} />
        ) : (
          <SourceText
            path={file.path}
            text={text}
            notes={entry.diagnostics}
            target={target}
            onTarget={onTarget}
            scroller={scroller}
          />
        )
      }
    </QueryState>
  );
}

function Unreadable({ file }: { file: CatalogFile }) {
  return (
    <EmptyState
      title={`File not shown (${formatBytes(file.size)})`}
      description={
        <>
          <p>It is binary or larger than 256 KiB. After an install, the review shows it.</p>
          <p className="mt-2 flex items-center justify-center gap-1 font-mono text-xs [overflow-wrap:anywhere]">
            git {file.sha}
            <CopyButton value={file.sha} label="Copy git sha" />
          </p>
        </>
      }
    />
  );
}

const otherKinds: Record<"symlink" | "submodule", { title: string; description: ReactNode }> = {
  symlink: {
    title: "Symbolic link",
    description: "An install stores a copy of the target if it is in the same folder, and refuses other links.",
  },
  submodule: {
    title: "Submodule",
    description: "It points to another repository, whose files are not installed.",
  },
};

function NotAFile({ kind }: { kind: "symlink" | "submodule" }) {
  return <EmptyState {...otherKinds[kind]} />;
}
