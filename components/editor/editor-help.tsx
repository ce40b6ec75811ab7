import { CircleHelp } from "lucide-react";
import { IconButton } from "@/components/ui/icon-button";
import { Kbd } from "@/components/ui/kbd";
import { Popover, PopoverContent, PopoverTrigger } from "@/components/ui/popover";

const keys = [
  { keys: "mod+s", what: "Save as a version" },
  { keys: "F8", what: "Next problem" },
  { keys: "mod+f", what: "Search in the text" },
  { keys: "mod+z", what: "Undo in the text" },
  { keys: "escape Tab", what: "Leave the text; Tab alone indents" },
  { keys: "Ctrl+m", what: "Let Tab move on instead of indenting (⇧⌥M on a Mac)" },
];

export function EditorHelp() {
  return (
    <Popover>
      <PopoverTrigger asChild>
        <IconButton label="Keys of the editor">
          <CircleHelp aria-hidden />
        </IconButton>
      </PopoverTrigger>
      <PopoverContent aria-label="Keys of the editor" align="end" className="w-80">
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
