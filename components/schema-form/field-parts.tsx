import { CircleAlert } from "lucide-react";
import { createContext, type ReactNode } from "react";
import { Label } from "@/components/ui/field";

export function describedBy(
  id: string,
  parts: { help?: unknown; errors?: readonly string[] | undefined },
): string | undefined {
  const ids = [parts.errors?.length ? `${id}-error` : "", parts.help ? `${id}-help` : ""].filter(Boolean);
  return ids.join(" ") || undefined;
}

/** The id of the visible label of a field. Groups of controls refer to it by `aria-labelledby`. */
export function labelIdOf(id: string): string {
  return `${id.replace(/__(any|one)of_select$/, "")}-label`;
}

type FieldLabelProps = { id: string; required: boolean; children: ReactNode };

export function FieldLabel({ id, required, children }: FieldLabelProps) {
  return (
    <div className="flex items-baseline justify-between gap-2">
      <Label id={labelIdOf(id)} htmlFor={id} className="min-w-0 break-words">
        {children}
      </Label>
      <OptionalMark required={required} />
    </div>
  );
}

export function OptionalMark({ required }: { required: boolean }) {
  return required ? null : <span className="shrink-0 text-muted-foreground text-xs">Optional</span>;
}

export function FieldErrors({ id, errors }: { id: string; errors: readonly string[] | undefined }) {
  if (!errors?.length) return null;
  return (
    <p id={`${id}-error`} className="flex items-start gap-1.5 text-13 text-danger">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span className="min-w-0 break-words">{capitalised(errors[0] ?? "")}</span>
    </p>
  );
}

export function FieldHelp({ id, text }: { id: string; text: string | undefined }) {
  if (!text) return null;
  return (
    <p id={`${id}-help`} className="whitespace-pre-line break-words text-muted-foreground text-xs leading-4">
      {text}
    </p>
  );
}

function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** The title of the choice directly around a field, whose selector already shows it; null elsewhere. */
export const InChoice = createContext<string | null>(null);

/** The title of the list around an item. */
export const InList = createContext("");
