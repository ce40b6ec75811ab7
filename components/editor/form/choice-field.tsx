import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import type { FormField } from "../frontmatter/form-fields";

type ChoiceFieldProps = {
  field: FormField;
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
};

/** One of a few, among them "not said". */
export function ChoiceField({ field, value, options, onChange }: ChoiceFieldProps) {
  const isKnown = options.some((option) => option.value === value);
  const all = isKnown ? options : [...options, { value, label: value }];
  return (
    <Field label={field.label} help={field.help}>
      <Select value={value} onChange={(event) => onChange(event.target.value)} options={all} />
    </Field>
  );
}
