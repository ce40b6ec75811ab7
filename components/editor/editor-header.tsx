import { CircleHelp } from "lucide-react";
import type { ReactNode } from "react";
import { RevealedText } from "@/components/code/hidden-notice";
import { IconButton } from "@/components/ui/icon-button";
import { Kbd } from "@/components/ui/kbd";
import { Popover, PopoverContent, PopoverTrigger } from "@/components/ui/popover";
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
