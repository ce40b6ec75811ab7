import { useState } from "react";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Textarea } from "@/components/ui/textarea";

type SecretFieldProps = { value: string; onChange: (value: string) => void; error?: string | undefined };

/** One line, covered; what is pasted with line ends, such as a key, turns it into several, as does the button. */
export function SecretField({ value, onChange, error }: SecretFieldProps) {
  const [hasLines, setLines] = useState(false);
  const isLong = hasLines || value.includes("\n");
  const covered = "[-webkit-text-security:disc]";
  return (
    <div className="flex flex-col items-start gap-2">
      <Field
        label="Value"
        required
        help="At least 6 characters, at most 16 KiB. It is not shown again."
        error={error}
        className="w-full"
      >
        {isLong ? (
          <Textarea
            rows={6}
            spellCheck={false}
            autoComplete="off"
            className={cn("font-mono text-xs", covered)}
            value={value}
            onChange={({ target }) => onChange(target.value)}
          />
        ) : (
          <Input
            type="password"
            autoComplete="new-password"
            className="font-mono"
            value={value}
            onChange={({ target }) => onChange(target.value)}
            onPaste={(event) => {
              const text = event.clipboardData.getData("text");
              if (!text.includes("\n")) return;
              // A field of one line would drop the line ends.
              event.preventDefault();
              onChange(text);
            }}
          />
        )}
      </Field>
      {isLong ? null : (
        <Button size="sm" onClick={() => setLines(true)}>
          Several lines
        </Button>
      )}
    </div>
  );
}
