import type { EditorState } from "@codemirror/state";
import { useQuery } from "@tanstack/react-query";
import { PencilLine, Trash2 } from "lucide-react";
import dynamic from "next/dynamic";
import { useCallback, useEffect, useId, useState } from "react";
import { RevealedText } from "@/components/code/hidden-notice";
import { QueryState } from "@/components/state/query-state";
import { Checkbox } from "@/components/ui/checkbox";
import { EmptyState } from "@/components/ui/empty-state";
import { Label } from "@/components/ui/field";
import { formatBytes } from "@/components/ui/format-bytes";
import { IconButton } from "@/components/ui/icon-button";
import { SegmentedControl } from "@/components/ui/segmented-control";
import { SkeletonRows } from "@/components/ui/skeleton";
import { fetchText, MAX_EDITED_BYTES } from "@/lib/client/editing";
import type { Diagnostic } from "@/lib/skill-format/schema";
import { type EditorFile, sizeOf } from "./model/editor-file";
import { UploadButton } from "./path-dialog";
import type { Editor } from "./use-editor";
import type { FileActions } from "./use-file-actions";

const FrontmatterPane = dynamic(() => import("./form/frontmatter-pane").then((module) => module.FrontmatterPane), {
  ssr: false,
});

const CodeEditor = dynamic(() => import("./code-editor").then((module) => module.CodeEditor), {
  ssr: false,
  loading: () => <SkeletonRows label="Loading the editor" />,
});

const noDiagnostics: readonly Diagnostic[] = [];

export type View = "form" | "text";

type FilePaneProps = { editor: Editor; actions: FileActions; view: View; onView: (view: View) => void };

export function FilePane({ editor, actions, view, onView }: FilePaneProps) {
  const { state, dispatch, checked, jump, jumped, goTo } = editor;
  const [memory] = useState(() => new Map<string, EditorState>());
  const write = useCallback((path: string, text: string) => dispatch({ type: "write", path, text }), [dispatch]);
  const file = state.files.find(({ path }) => path === state.open);
  const formText = file?.path === "SKILL.md" && file.content.kind === "text" ? file.content.text : null;
  if (!file) return <EmptyState title="No file is open" description="Select a file, or add one." />;
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
      {formText === null ? null : (
        <FrontmatterPane
          text={formText}
          isShown={isForm}
          onChange={(text) => write("SKILL.md", text)}
          onGoTo={(line) => {
            onView("text");
            goTo("SKILL.md", line);
          }}
        />
      )}
      {file.content.kind === "text" && !isForm ? (
        <CodeEditor
          path={file.path}
          text={file.content.text}
          onChange={write}
          diagnostics={checked?.diagnostics ?? noDiagnostics}
          jump={jump}
          onJumped={jumped}
          memory={memory}
        />
      ) : null}
    </>
  );
}

type UneditedFileProps = { file: EditorFile; editor: Editor; actions: FileActions };

/** A file whose content is not loaded: text is fetched, a binary can only be replaced. */
function UneditedFile({ file, editor, actions }: UneditedFileProps) {
  const { content } = file;
  const isFetchable = content.kind === "stored" && content.isText && content.size <= MAX_EDITED_BYTES;
  if (isFetchable) return <FetchedFile sha256={content.sha256} editor={editor} />;
  const isLongText = content.kind === "stored" && content.isText;
  return (
    <div className="flex flex-col items-start gap-3 p-4 text-13">
      <p>
        {isLongText
          ? `Text file, ${formatBytes(sizeOf(file))}: too large to edit here. It stays unchanged unless you replace it.`
          : `Binary file, ${formatBytes(sizeOf(file))}. It stays unchanged unless you replace it.`}
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

type FileHeaderProps = { file: EditorFile; editor: Editor; actions: FileActions; children?: React.ReactNode };

function FileHeader({ file, editor, actions, children }: FileHeaderProps) {
  const id = useId();
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-b px-3 py-1">
      <h2 className="min-w-0 flex-1 font-medium text-13">
        <RevealedText text={file.path} className="font-mono text-xs [overflow-wrap:anywhere]" />
      </h2>
      {children}
      {/\.md$/i.test(file.path) && file.mode !== "755" ? null : (
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
      )}
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
