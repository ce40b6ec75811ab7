"use client";

import { PencilLine, Trash2 } from "lucide-react";
import { useId } from "react";
import { RevealedText } from "@/components/code/revealed-text";
import { Checkbox } from "@/components/ui/checkbox";
import { IconButton } from "@/components/ui/icon-button";
import { Label } from "@/components/ui/label";
import type { EditorFile } from "../model/editor-file";
import type { Editor } from "../use-editor";
import type { FileActions } from "./use-file-actions";

type FileHeaderProps = { file: EditorFile; editor: Editor; actions: FileActions; children?: React.ReactNode };

/** The open file's name, and what can be done with it as a whole. */
export function FileHeader({ file, editor, actions, children }: FileHeaderProps) {
  const id = useId();
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-b px-3 py-1">
      <h2 className="min-w-0 flex-1 font-medium text-13">
        <RevealedText text={file.path} className="font-mono text-xs [overflow-wrap:anywhere]" />
      </h2>
      {children}
      <span className="flex items-center gap-1.5">
        <Checkbox
          id={id}
          checked={file.mode === "755"}
          onCheckedChange={(checked) =>
            editor.dispatch({ type: "set-mode", path: file.path, mode: checked === true ? "755" : "644" })
          }
        />
        <Label htmlFor={id} className="font-normal">
          Executable
        </Label>
      </span>
      <span className="flex items-center">
        <IconButton label="Rename file" size="sm" onClick={() => actions.setAsked({ kind: "rename", path: file.path })}>
          <PencilLine aria-hidden />
        </IconButton>
        <IconButton
          label="Remove file"
          size="sm"
          disabled={editor.state.files.length === 1}
          onClick={() => actions.remove(file)}
        >
          <Trash2 aria-hidden />
        </IconButton>
      </span>
    </div>
  );
}
