"use client";

import type { EditorState } from "@codemirror/state";
import dynamic from "next/dynamic";
import { useCallback, useState } from "react";
import { EmptyState } from "@/components/ui/empty-state";
import { SegmentedControl } from "@/components/ui/segmented-control";
import { SkeletonRows } from "@/components/ui/skeleton-rows";
import { FileHeader } from "./files/file-header";
import { UneditedFile } from "./files/unedited-file";
import type { FileActions } from "./files/use-file-actions";
import { FrontmatterForm } from "./form/frontmatter-form";
import { useFormReading } from "./form/use-form-reading";
import type { Editor } from "./use-editor";

const CodeEditor = dynamic(() => import("./code/code-editor").then((module) => module.CodeEditor), {
  ssr: false,
  loading: () => <SkeletonRows label="Loading the editor" />,
});

export type View = "form" | "text";

type FilePaneProps = { editor: Editor; actions: FileActions; view: View; onView: (view: View) => void };

/** The open file: as a form, where it has one, or as text. */
export function FilePane({ editor, actions, view, onView }: FilePaneProps) {
  const { state, dispatch, checked, jump, jumped, goTo } = editor;
  const [memory] = useState(() => new Map<string, EditorState>());
  const write = useCallback((path: string, text: string) => dispatch({ type: "write", path, text }), [dispatch]);
  const file = state.files.find(({ path }) => path === state.open);
  const formText = file?.path === "SKILL.md" && file.content.kind === "text" ? file.content.text : null;
  const shown = useFormReading(formText);
  if (!file) return <EmptyState title="No file is open" description="Choose one, or add one." />;
  const hasForm = formText !== null;
  const isForm = hasForm && view === "form";
  return (
    <>
      <FileHeader file={file} editor={editor} actions={actions}>
        {hasForm ? (
          <SegmentedControl
            label="Edit as"
            value={view}
            onValueChange={onView}
            options={[
              { value: "form", label: "Form" },
              { value: "text", label: "Text" },
            ]}
          />
        ) : null}
      </FileHeader>
      {file.content.kind !== "text" ? <UneditedFile file={file} editor={editor} actions={actions} /> : null}
      {file.content.kind === "text" && isForm ? (
        <div className="min-h-0 flex-1 overflow-y-auto">
          <FrontmatterForm
            text={file.content.text}
            shown={shown}
            onChange={(text) => write(file.path, text)}
            onGoTo={(line) => {
              onView("text");
              goTo(file.path, line);
            }}
          />
        </div>
      ) : null}
      {file.content.kind === "text" && !isForm ? (
        <CodeEditor
          path={file.path}
          text={file.content.text}
          onChange={write}
          diagnostics={checked.diagnostics}
          jump={jump}
          onJumped={jumped}
          memory={memory}
        />
      ) : null}
    </>
  );
}
