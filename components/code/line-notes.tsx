import type { Diagnostic } from "@/lib/skill-format/schema";
import { SeverityIcon } from "./severity-icon";

const order = ["error", "warning", "info"] as const;

export function worstOf(notes: readonly Diagnostic[]): Diagnostic["severity"] | undefined {
  return order.find((severity) => notes.some((note) => note.severity === severity));
}

/** What was noticed on a line, below it. */
export function LineNotes({ notes }: { notes: readonly Diagnostic[] }) {
  return (
    <ul className="my-1 mr-4 ml-[3.25rem] flex flex-col gap-1 border-l-2 pl-3 font-sans text-13">
      {notes.map((note) => (
        <li key={`${note.code}${note.message}`} className="flex items-start gap-2">
          <SeverityIcon severity={note.severity} className="mt-0.5" />
          <span>
            {note.message} <code className="text-muted-foreground text-xs">{note.code}</code>
          </span>
        </li>
      ))}
    </ul>
  );
}
