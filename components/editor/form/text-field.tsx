"use client";

import { type FocusEvent, useState } from "react";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Textarea } from "@/components/ui/textarea";
import type { FormField } from "../frontmatter/form-fields";

type TextFieldProps = {
  field: FormField;
  value: string;
  isSet: boolean;
  required: boolean;
  onChange: (text: string) => void;
  onClear: () => void;
};

/** Shows what is typed while it is typed: the text has no blank at its end, which a next word needs. */
export function TextField({ field, value, isSet, required, onChange, onClear }: TextFieldProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const control = {
    value: typed ?? value,
    spellCheck: field.kind === "prose",
    autoComplete: "off",
    onChange: (event: { target: { value: string } }) => {
      setTyped(event.target.value);
      onChange(event.target.value.replace(/\s+$/, ""));
    },
    onBlur: (_event: FocusEvent) => {
      setTyped(null);
      if (isSet && value === "" && !required) onClear();
    },
  };
  return (
    <Field label={field.label} required={required} help={field.help}>
      {field.kind === "prose" ? <Textarea rows={3} {...control} /> : <Input {...control} />}
    </Field>
  );
}
