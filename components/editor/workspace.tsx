import { FilePlus2 } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { DiagnosticList } from "@/components/code/diagnostic-list";
import { RevealedText } from "@/components/code/hidden-notice";
import { Markdown } from "@/components/markdown/markdown";
import { StepGraph } from "@/components/pipelines/step-graph";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { FileTree } from "@/components/ui/file-tree";
import { formatBytes } from "@/components/ui/format-bytes";
import { PaneNav } from "@/components/ui/pane-nav";
import { SkeletonRows } from "@/components/ui/skeleton";
import type { Diagnostic } from "@/lib/skill-format/schema";
import { AllowedTools } from "../skills/permission-list";
import { countOf } from "../skills/skill-labels";
import { FilePane, type View } from "./file-pane";
import type { CheckResult } from "./model/check-files";
import { changeOf, type EditorFile, sizeOf } from "./model/editor-file";
import { PathDialog, UploadButton } from "./path-dialog";
import type { Editor } from "./use-editor";
import { type FileActions, useFileActions } from "./use-file-actions";

type FilesPaneProps = { editor: Editor; actions: FileActions; onOpened: () => void };

const changeMarks = { same: "", added: "New", changed: "Changed" } as const;

export type Pane = "files" | "edit" | "preview" | "problems";

type WorkspaceProps = {
  editor: Editor;
  pane: Pane;
  onPane: (pane: Pane) => void;
  initialView: View;
  /** Hides the problems of a template in which nothing was written yet. */
  isUntouched?: boolean;
  children: ReactNode;
};

const panes = [
  { key: "files", label: "Files" },
  { key: "edit", label: "Edit" },
  { key: "preview", label: "Preview" },
] as const;

export function Workspace({ editor: given, isUntouched = false, ...props }: WorkspaceProps) {
  const { pane, onPane, initialView, children } = props;
  const known = given.checked;
  const editor = isUntouched && known ? { ...given, checked: { ...known, diagnostics: [] } } : given;
  const { state, dispatch, checked, goTo } = editor;
  const diagnostics = checked?.diagnostics ?? [];
  const [view, setView] = useState<View>(initialView);
  const actions = useFileActions(editor);
  const paths = state.files.map(({ path }) => path);

  const jump = ({ path, line }: Diagnostic) => {
    if (path === undefined || !paths.includes(path)) return;
    onPane("edit");
    if (line === undefined) return dispatch({ type: "open", path });
    setView("text");
    goTo(path, line);
  };
  useNextProblem(diagnostics, jump);

  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  const shown = (key: Pane) => cn("min-h-0 min-w-0 flex-col xl:flex", pane === key ? "flex flex-1" : "hidden");
  const { asked } = actions;

  return (
    <div className="flex min-h-0 flex-1 flex-col xl:h-[calc(100dvh-var(--topbar-height))] xl:flex-none xl:in-data-banner:h-[calc(100dvh-var(--topbar-height)-2.25rem)]">
      {children}
      <PaneNav
        label="Editor panes"
        panes={[...panes, { key: "problems", label: "Problems", count: errors, what: "errors" }]}
        current={pane}
        onChoose={onPane}
        className="px-4 xl:hidden"
      />
      <div className="flex min-h-0 flex-1 flex-col max-xl:min-h-[65dvh] xl:grid xl:grid-cols-[15rem_minmax(0,1fr)_minmax(0,26rem)] xl:grid-rows-[minmax(0,1fr)_auto]">
        <section aria-label="Files" className={cn(shown("files"), "xl:row-span-2 xl:border-r")}>
          <FilesPane editor={editor} actions={actions} onOpened={() => onPane("edit")} />
        </section>
        <section aria-label="Open file" className={cn(shown("edit"), "max-xl:h-[70dvh]")}>
          <FilePane editor={editor} actions={actions} view={view} onView={setView} />
        </section>
        <section
          aria-label="Preview"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          tabIndex={0}
          className={cn(
            shown("preview"),
            "overflow-y-auto focus-visible:-outline-offset-2 xl:row-span-2 xl:block xl:border-l",
          )}
        >
          <PreviewPane file={state.files.find(({ path }) => path === state.open)} checked={checked} />
        </section>
        <section aria-label="Problems" className={cn(shown("problems"), "xl:max-h-52 xl:border-t")}>
          {isUntouched ? (
            <p className="px-3 py-2 text-13 text-muted-foreground">Problems are listed here once you write.</p>
          ) : (
            <ProblemsPane diagnostics={checked?.diagnostics ?? null} onJump={jump} />
          )}
        </section>
      </div>
      {asked ? (
        <PathDialog
          title={asked.kind === "add" ? "Add file" : "Rename file"}
          actionLabel={asked.kind === "add" ? "Add file" : "Rename file"}
          initial={asked.kind === "add" ? "" : asked.path}
          others={paths.filter((path) => asked.kind === "add" || path !== asked.path)}
          onDone={(path) => (asked.kind === "add" ? actions.add(path) : actions.rename(asked.path, path))}
          onClose={() => actions.setAsked(null)}
        />
      ) : null}
    </div>
  );
}

/** F8 cycles through the problems, Shift+F8 backwards. */
function useNextProblem(diagnostics: readonly Diagnostic[], onGo: (diagnostic: Diagnostic) => void): void {
  const latest = useRef({ diagnostics, onGo });
  const at = useRef(-1);
  useEffect(() => {
    latest.current = { diagnostics, onGo };
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "F8" || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      const placed = latest.current.diagnostics.filter(({ path }) => path !== undefined);
      if (placed.length === 0) return;
      at.current = (at.current + (event.shiftKey ? -1 : 1) + placed.length) % placed.length;
      const next = placed[at.current];
      if (next) latest.current.onGo(next);
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}

type ProblemsPaneProps = { diagnostics: readonly Diagnostic[] | null; onJump: (diagnostic: Diagnostic) => void };

function ProblemsPane({ diagnostics, onJump }: ProblemsPaneProps) {
  return (
    <>
      <h2 className="px-3 pt-2 pb-1 font-medium text-13">
        <span role="status">{diagnostics === null ? "Checking" : summaryOf(diagnostics)}</span>
      </h2>
      {diagnostics !== null && diagnostics.length > 0 ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <div tabIndex={0} className="min-h-0 flex-1 overflow-y-auto px-1 pb-2 focus-visible:-outline-offset-2">
          <DiagnosticList diagnostics={diagnostics} onJump={onJump} />
        </div>
      ) : null}
    </>
  );
}

function summaryOf(diagnostics: readonly Diagnostic[]): string {
  const count = (severity: Diagnostic["severity"]) => diagnostics.filter((item) => item.severity === severity).length;
  const words = [
    [count("error"), "error"],
    [count("warning"), "warning"],
    [count("info"), "note"],
  ] as const;
  const parts = words.filter(([number]) => number > 0).map(([number, noun]) => countOf(number, noun));
  return parts.length === 0 ? "No problems" : parts.join(", ");
}

type PreviewPaneProps = { file: EditorFile | undefined; checked: CheckResult | null };

function PreviewPane({ file, checked }: PreviewPaneProps) {
  if (file?.path === "SKILL.md") {
    return checked ? <PlaybookPreview manifest={checked.manifest} /> : <SkeletonRows label="Loading the preview" />;
  }
  if (file?.path === "skill.toml" && checked && checked.manifest.steps.length > 0) {
    return (
      <div className="p-4">
        <StepGraph steps={checked.manifest.steps} />
      </div>
    );
  }
  if (file && /\.(md|markdown)$/i.test(file.path) && file.content.kind === "text") {
    return <Markdown text={file.content.text} path={file.path} className="p-4" />;
  }
  return (
    <p className="p-4 text-13 text-muted-foreground">
      {file ? "Only Markdown files and pipelines have a preview." : "Open a file to see its preview."}
    </p>
  );
}

function PlaybookPreview({ manifest }: { manifest: CheckResult["manifest"] }) {
  return (
    <div className="p-4">
      <p className="font-semibold text-base">
        <RevealedText text={manifest.label ?? manifest.name} />
      </p>
      <p className="mt-0.5 text-13 text-muted-foreground">
        <RevealedText text={manifest.description} />
        {manifest.whenToUse ? (
          <>
            {" "}
            <RevealedText text={manifest.whenToUse} />
          </>
        ) : null}
      </p>
      <div className="mt-3 mb-4 border-b pb-4 text-13">
        <AllowedTools allowedTools={manifest.allowedTools} />
      </div>
      {manifest.steps.length > 0 ? (
        <div className="mb-4 border-b pb-4">
          <StepGraph steps={manifest.steps} />
        </div>
      ) : null}
      <Markdown text={manifest.body} />
    </div>
  );
}

function FilesPane({ editor, actions, onOpened }: FilesPaneProps) {
  const { state, dispatch, checked } = editor;
  const removed = state.base?.files.filter(({ path }) => !state.files.some((file) => file.path === path)) ?? [];
  const bytes = state.files.reduce((sum, file) => sum + sizeOf(file), 0);
  const errorsIn = (path: string) =>
    (checked?.diagnostics ?? []).filter((diagnostic) => diagnostic.path === path && diagnostic.severity === "error")
      .length;
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

function Marks({ file, editor, errors }: { file: EditorFile; editor: Editor; errors: number }) {
  const { base } = editor.state;
  const mark = base ? changeMarks[changeOf(file, base.files)] : "";
  return (
    <span className="flex items-center gap-1.5 text-muted-foreground text-xs">
      {file.mode === "755" ? <span>executable</span> : null}
      {mark ? <span>{mark}</span> : null}
      {errors > 0 ? <span className="text-danger">{countOf(errors, "error")}</span> : null}
    </span>
  );
}
