import { FieldErrors } from "@/components/schema-form/field-parts";
import { Textarea } from "@/components/ui/textarea";

export const jsonEditorId = "args-json";

type JsonEditorProps = { text: string; problem: string | null; onChange: (text: string) => void; disabled?: boolean };

/** The arguments as text. Whatever is typed stays, also when it cannot be read. */
export function JsonEditor({ text, problem, onChange, disabled = false }: JsonEditorProps) {
  return (
    <div className="flex flex-col gap-1.5">
      <Textarea
        id={jsonEditorId}
        aria-label="Arguments as JSON"
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? `${jsonEditorId}-error` : undefined}
        rows={Math.min(24, Math.max(10, text.split("\n").length + 1))}
        value={text}
        disabled={disabled}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        onChange={({ target }) => onChange(target.value)}
        className="font-mono text-xs leading-5 max-md:text-base"
      />
      <FieldErrors id={jsonEditorId} errors={problem ? [problem] : undefined} />
    </div>
  );
}
