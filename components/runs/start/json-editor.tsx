import { FieldErrors } from "@/components/schema-form/field-parts";
import { Textarea } from "@/components/ui/textarea";
import type { ApiFieldError } from "@/lib/client/api";

export const jsonEditorId = "args-json";

type JsonEditorProps = {
  text: string;
  /** Why it cannot be read. */
  problem: string | null;
  /** What can be read and does not fit. */
  errors?: readonly ApiFieldError[];
  onChange: (text: string) => void;
  disabled?: boolean;
};

const errorsShown = 5;

/** The arguments as text. Whatever is typed stays, also when it cannot be read or does not fit. */
export function JsonEditor({ text, problem, errors = [], onChange, disabled = false }: JsonEditorProps) {
  const messages = problem ? [problem] : errors.slice(0, errorsShown).map(messageOf);
  return (
    <div className="flex flex-col gap-1.5">
      <Textarea
        id={jsonEditorId}
        aria-label="Arguments as JSON"
        aria-invalid={messages.length > 0 ? true : undefined}
        aria-describedby={messages.length > 0 ? `${jsonEditorId}-error` : undefined}
        rows={Math.min(24, Math.max(6, text.split("\n").length + 1))}
        value={text}
        disabled={disabled}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        onChange={({ target }) => onChange(target.value)}
        className="font-mono text-xs leading-5 max-md:text-base"
      />
      <FieldErrors id={jsonEditorId} errors={messages.length > 0 ? messages : undefined} />
    </div>
  );
}

function messageOf({ path, message }: ApiFieldError): string {
  return path === "" ? message : `${path} ${message}`;
}
