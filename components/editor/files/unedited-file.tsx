"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { QueryState } from "@/components/state/query-state";
import { formatBytes } from "@/components/ui/format-bytes";
import { SkeletonRows } from "@/components/ui/skeleton-rows";
import { fetchText, MAX_EDITED_BYTES } from "@/lib/client/editing";
import { type EditorFile, sizeOf } from "../model/editor-file";
import type { Editor } from "../use-editor";
import { UploadButton } from "./upload-button";
import type { FileActions } from "./use-file-actions";

type UneditedFileProps = { file: EditorFile; editor: Editor; actions: FileActions };

/** A file whose text is not here: it is fetched when it is one, and can be replaced when it is not. */
export function UneditedFile({ file, editor, actions }: UneditedFileProps) {
  const { content } = file;
  const isFetchable = content.kind === "stored" && content.isText && content.size <= MAX_EDITED_BYTES;
  if (isFetchable) return <FetchedFile sha256={content.sha256} editor={editor} />;
  const isLongText = content.kind === "stored" && content.isText;
  return (
    <div className="flex flex-col items-start gap-3 p-4 text-13">
      <p>
        {isLongText
          ? `A text of ${formatBytes(sizeOf(file))}: too long to be edited here. It stays as it is unless you replace it.`
          : `A binary file of ${formatBytes(sizeOf(file))}. It stays as it is unless you replace it.`}
      </p>
      <UploadButton label="Replace file" onChosen={(chosen) => void actions.upload(chosen, file)} />
    </div>
  );
}

function FetchedFile({ sha256, editor: { state, skill, dispatch } }: { sha256: string; editor: Editor }) {
  const stored = state.base?.files.find((file) => file.sha256 === sha256);
  const query = useQuery({
    queryKey: ["edited-text", skill?.id, sha256],
    queryFn: ({ signal }) => fetchText(skill?.id ?? "", state.base?.digest ?? "", stored?.path ?? "", signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { data } = query;
  useEffect(() => {
    if (data !== undefined) dispatch({ type: "loaded", sha256, text: data });
  }, [data, sha256, dispatch]);
  return (
    <QueryState query={query} errorTitle="The file could not be loaded." loading={<SkeletonRows />}>
      {() => <SkeletonRows />}
    </QueryState>
  );
}
