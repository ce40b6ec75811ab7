import { useState } from "react";
import type { Control, FieldPath, FieldValues } from "react-hook-form";
import { FormField } from "@/components/forms/form";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { Textarea } from "@/components/ui/textarea";

type SecretFieldProps<Values extends FieldValues> = { form: { control: Control<Values> }; name: FieldPath<Values> };

/** One line, covered; what is pasted with line ends, such as a key, turns it into several, as does the button. */
export function SecretField<Values extends FieldValues>({ form, name }: SecretFieldProps<Values>) {
  const [hasLines, setLines] = useState(false);
  return (
    <div className="flex flex-col items-start gap-2">
      <FormField
        form={form}
        name={name}
        label="Value"
        required
        help="At least 6 characters, at most 16 KiB. It is not shown again."
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
                // A field of one line would drop the line ends.
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
          Several lines
        </Button>
      )}
    </div>
  );
}
