"use client";

import { useLineHash } from "@/components/code/use-line-hash";
import { useUrlParams } from "@/components/state/use-url-params";
import { FileTree } from "@/components/ui/file-tree";
import { formatBytes } from "@/components/ui/format-bytes";
import type { CatalogDetail, CatalogFile } from "@/lib/catalog/schema";
import { firstFile } from "../../skills/first-file";
import { countOf } from "../../skills/skill-words";
import { EntryFile } from "./entry-file";

/** Everything an install would store: the tree, and one of its files. */
export function EntryFiles({ entry }: { entry: CatalogDetail }) {
  const [params, setParams] = useUrlParams();
  const [target, setTarget] = useLineHash();
  const wanted = params.get("path");
  const file = entry.fileList.find(({ path }) => path === wanted) ?? firstFile(entry.fileList);
  const open = (path: string) => {
    setTarget(null);
    setParams({ path });
  };
  return (
    <div className="grid gap-4 md:grid-cols-[15rem_minmax(0,1fr)]">
      <div className="flex min-w-0 flex-col gap-3">
        <FileTree
          files={entry.fileList}
          label="Files of the entry"
          selected={file?.path ?? null}
          onSelect={open}
          aside={asideOf}
          className="max-h-[60dvh] overflow-y-auto max-md:max-h-48"
        />
        <p className="px-2 text-muted-foreground text-xs tabular-nums">
          {countOf(entry.files, "file")}, {formatBytes(entry.bytes)}
        </p>
      </div>
      {file ? (
        <EntryFile
          key={file.path}
          entry={entry}
          file={file}
          target={target}
          onTarget={setTarget}
          className="h-[calc(100dvh-18rem)] min-h-96 rounded-md border"
        />
      ) : null}
    </div>
  );
}

/** What is no plain file says so in the tree; a program shows that it can be run. */
function asideOf({ kind, mode }: CatalogFile) {
  const word = kind === "symlink" ? "link" : kind === "submodule" ? "submodule" : mode === "755" ? "executable" : null;
  return word ? <span className="font-normal text-warning text-xs">{word}</span> : null;
}
