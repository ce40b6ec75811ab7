import type { ReactNode } from "react";
import { RevealedText } from "@/components/code/revealed-text";
import { EditorHelp } from "./editor-help";
import type { Editor } from "./use-editor";

type EditorHeaderProps = { title: string; editor: Editor; aside?: ReactNode; actions: ReactNode; children?: ReactNode };

/** The heading of an edit, whether it is saved, and what there is to say about it. */
export function EditorHeader({ title, editor, aside, actions, children }: EditorHeaderProps) {
  return (
    <header className="flex flex-col gap-2 border-b px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <div className="min-w-0 flex-1">
          <h1 className="text-base leading-6 [overflow-wrap:anywhere]">
            <RevealedText text={title} />
          </h1>
          <p className="text-13 text-muted-foreground">{stateOf(editor)}</p>
        </div>
        {aside}
        <div className="flex items-center gap-2">
          <EditorHelp />
          {actions}
        </div>
      </div>
      {children}
    </header>
  );
}

function stateOf({ state: { base }, isDirty, draft: { isKept } }: Editor): string {
  if (!isDirty) return base ? `Version ${base.number}, no changes` : "Nothing written yet";
  const saved = base ? `Version ${base.number}, changed and not saved.` : "Not saved.";
  return isKept ? `${saved} Kept in this browser.` : `${saved} Too large to be kept in this browser.`;
}
