"use client";

import { type ReactNode, useState } from "react";
import { cn } from "@/components/ui/cn";
import { CountBadge } from "@/components/ui/count-badge";
import { tabListStyles, tabStyles } from "@/components/ui/tab-styles";
import type { Diagnostic } from "@/lib/skill-format/schema";
import { FilePane, type View } from "./file-pane";
import { FilesPane } from "./files/files-pane";
import { PathDialog } from "./files/path-dialog";
import { useFileActions } from "./files/use-file-actions";
import { PreviewPane } from "./preview-pane";
import { ProblemsPane } from "./problems-pane";
import type { Editor } from "./use-editor";
import { useNextProblem } from "./use-next-problem";

export type Pane = "files" | "edit" | "preview" | "problems";

type WorkspaceProps = {
  editor: Editor;
  pane: Pane;
  onPane: (pane: Pane) => void;
  initialView: View;
  /** The heading with its buttons, and what there is to say. */
  children: ReactNode;
};

const names: Record<Pane, string> = { files: "Files", edit: "Edit", preview: "Preview", problems: "Problems" };

/** Files, the open one, its preview and the problems: side by side, or one at a time where there is no room. */
export function Workspace({ editor, pane, onPane, initialView, children }: WorkspaceProps) {
  const { state, dispatch, checked, goTo } = editor;
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
  useNextProblem(checked.diagnostics, jump);

  const errors = checked.diagnostics.filter(({ severity }) => severity === "error").length;
  const shown = (key: Pane) => cn("min-h-0 min-w-0 flex-col xl:flex", pane === key ? "flex flex-1" : "hidden");
  const { asked } = actions;

  return (
    <div className="flex min-h-0 flex-1 flex-col xl:h-[calc(100dvh-var(--topbar-height))] xl:flex-none xl:in-data-banner:h-[calc(100dvh-var(--topbar-height)-2.25rem)]">
      {children}
      <nav aria-label="Parts of the editor" className={cn(tabListStyles, "px-4 xl:hidden")}>
        {(Object.keys(names) as Pane[]).map((key) => (
          <button
            key={key}
            type="button"
            aria-pressed={pane === key}
            data-active={pane === key}
            onClick={() => onPane(key)}
            className={tabStyles}
          >
            {names[key]}
            {key === "problems" ? <CountBadge count={errors} label="errors" tone="warning" /> : null}
          </button>
        ))}
      </nav>
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
          <ProblemsPane diagnostics={checked.diagnostics} onJump={jump} />
        </section>
      </div>
      {asked ? (
        <PathDialog
          title={asked.kind === "add" ? "Add a file" : "Rename file"}
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
