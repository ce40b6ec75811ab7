import { useState } from "react";
import type { Control, FieldPath, FieldValues } from "react-hook-form";
import { FormField } from "@/components/forms/form";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { Textarea } from "@/components/ui/textarea";

type SecretFieldProps<Values extends FieldValues> = { form: { control: Control<Values> }; name: FieldPath<Values> };

/** A masked field of one line. It becomes a text area when a text with line breaks is pasted, or by the button. */
export function SecretField<Values extends FieldValues>({ form, name }: SecretFieldProps<Values>) {
  const [hasLines, setLines] = useState(false);
  return (
    <div className="flex flex-col items-start gap-2">
      <FormField
        form={form}
        name={name}
        label="Value"
        required
        help="6 characters to 16 KiB. The value is not shown again."
        fieldClassName="w-full"
      >
        {(field) =>
          hasLines ? (
            <Textarea
              rows={6}
              spellCheck={false}
              autoComplete="off"
              className="font-mono text-xs [-webkit-text-security:disc]"
              {...field}
            />
          ) : (
            <Input
              type="password"
              autoComplete="new-password"
              className="font-mono"
              {...field}
              onPaste={(event) => {
                const text = event.clipboardData.getData("text");
                if (!text.includes("\n")) return;
                // A single-line input would drop line breaks.
                event.preventDefault();
                setLines(true);
                field.onChange(text);
              }}
            />
          )
        }
      </FormField>
      {hasLines ? null : (
        <Button size="sm" onClick={() => setLines(true)}>
          Use multiple lines
        </Button>
      )}
    </div>
  );
}
