"use client";

import { FilePlus2 } from "lucide-react";
import { Button } from "@/components/ui/button";
import { FileTree } from "@/components/ui/file-tree";
import { formatBytes } from "@/components/ui/format-bytes";
import { countOf } from "../../skills/skill-words";
import { changeOf, type EditorFile, sizeOf } from "../model/editor-file";
import type { Editor } from "../use-editor";
import { UploadButton } from "./upload-button";
import type { FileActions } from "./use-file-actions";

type FilesPaneProps = { editor: Editor; actions: FileActions; onOpened: () => void };

export function FilesPane({ editor, actions, onOpened }: FilesPaneProps) {
  const { state, dispatch, checked } = editor;
  const removed = state.base?.files.filter(({ path }) => !state.files.some((file) => file.path === path)) ?? [];
  const bytes = state.files.reduce((sum, file) => sum + sizeOf(file), 0);
  const errorsIn = (path: string) =>
    checked.diagnostics.filter((diagnostic) => diagnostic.path === path && diagnostic.severity === "error").length;
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-2 p-2">
      <div className="flex flex-wrap gap-1">
        <Button size="sm" onClick={() => actions.setAsked({ kind: "add" })}>
          <FilePlus2 aria-hidden />
          Add file
        </Button>
        <UploadButton label="Upload" multiple onChosen={(files) => void actions.upload(files)} />
      </div>
      <FileTree
        files={state.files}
        label="Files of the skill"
        selected={state.open}
        onSelect={(path) => {
          dispatch({ type: "open", path });
          onOpened();
        }}
        aside={(file) => <Marks file={file} editor={editor} errors={errorsIn(file.path)} />}
        className="min-h-0 flex-1 overflow-y-auto"
      />
      {removed.length > 0 ? (
        <p className="px-2 text-muted-foreground text-xs [overflow-wrap:anywhere]">
          Removed: {removed.map(({ path }) => path).join(", ")}
        </p>
      ) : null}
      <p className="px-2 text-muted-foreground text-xs tabular-nums">
        {countOf(state.files.length, "file")}, {formatBytes(bytes)}
      </p>
    </div>
  );
}

const changeMarks = { same: "", added: "new", changed: "changed" } as const;

function Marks({ file, editor, errors }: { file: EditorFile; editor: Editor; errors: number }) {
  const { base } = editor.state;
  const mark = base ? changeMarks[changeOf(file, base.files)] : "";
  return (
    <span className="flex items-center gap-1.5 text-muted-foreground text-xs">
      {file.mode === "755" ? <span title="Executable">run</span> : null}
      {mark ? <span>{mark}</span> : null}
      {errors > 0 ? <span className="text-danger">{countOf(errors, "error")}</span> : null}
    </span>
  );
}
