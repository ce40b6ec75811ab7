import { CircleHelp } from "lucide-react";
import type { ReactNode } from "react";
import { RevealedText } from "@/components/code/hidden-notice";
import { errorText } from "@/components/state/describe-error";
import { Button } from "@/components/ui/button";
import { IconButton } from "@/components/ui/icon-button";
import { Kbd } from "@/components/ui/kbd";
import { Notice } from "@/components/ui/notice";
import { Popover, PopoverContent, PopoverTrigger } from "@/components/ui/popover";
import { RelativeTime } from "@/components/ui/relative-time";
import { ApiError } from "@/lib/client/api";
import type { Editor } from "./use-editor";

const keys = [
  { keys: "mod+s", what: "Save version" },
  { keys: "F8", what: "Next problem" },
  { keys: "mod+f", what: "Search text" },
  { keys: "mod+z", what: "Undo" },
  { keys: "escape Tab", what: "Leave the text editor (Tab alone indents)" },
  { keys: "Ctrl+m", what: "Toggle whether Tab indents or moves the focus (⇧⌥M on a Mac)" },
];

type EditorHeaderProps = {
  title: string;
  about?: string;
  editor: Editor;
  aside?: ReactNode;
  actions: ReactNode;
  children?: ReactNode;
};

export function EditorHeader({ title, about, editor, aside, actions, children }: EditorHeaderProps) {
  return (
    <header className="flex flex-col gap-2 border-b px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <div className="min-w-0 flex-1">
          <h1 className="text-base leading-6 [overflow-wrap:anywhere]">
            <RevealedText text={title} />
          </h1>
          <p className="text-13 text-muted-foreground">{about ?? stateOf(editor)}</p>
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
  if (!isDirty) return base ? `Version ${base.number}, unchanged` : "Empty";
  const saved = base ? `Version ${base.number}, unsaved changes.` : "Not saved.";
  return isKept ? `${saved} Stored in this browser.` : `${saved} Too large to store in this browser.`;
}

function EditorHelp() {
  return (
    <Popover>
      <PopoverTrigger asChild>
        <IconButton label="Keyboard shortcuts">
          <CircleHelp aria-hidden />
        </IconButton>
      </PopoverTrigger>
      <PopoverContent aria-label="Keyboard shortcuts" align="end" className="w-80">
        <dl className="grid grid-cols-[auto_1fr] items-center gap-x-3 gap-y-2">
          {keys.map((entry) => (
            <div key={entry.keys} className="contents">
              <dt>
                <Kbd keys={entry.keys} />
              </dt>
              <dd>{entry.what}</dd>
            </div>
          ))}
        </dl>
      </PopoverContent>
    </Popover>
  );
}

type DraftNoticeProps = { restoredAt: number; onDiscard: () => void };

export function DraftNotice({ restoredAt, onDiscard }: DraftNoticeProps) {
  return (
    <Notice
      className="items-center"
      action={
        <Button size="sm" onClick={onDiscard}>
          Discard
        </Button>
      }
    >
      Draft from <RelativeTime value={new Date(restoredAt).toISOString()} /> restored.
    </Notice>
  );
}

/** The reasons why the server refused to save, each with its path. */
export function SaveError({ error }: { error: unknown }) {
  const reasons = error instanceof ApiError ? error.errors : [];
  return (
    <Notice tone="danger" announce title="Not saved. Your edit is still here.">
      {reasons.length === 0 ? <p>{errorText(error)}</p> : null}
      {reasons.map(({ path, message }) => (
        <p key={`${path}${message}`}>
          {path ? <code className="[overflow-wrap:anywhere]">{path}</code> : null} {message}
        </p>
      ))}
    </Notice>
  );
}
