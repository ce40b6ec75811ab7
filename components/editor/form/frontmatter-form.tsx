import { type FocusEvent, type ReactNode, useMemo, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Notice } from "@/components/ui/notice";
import { Select } from "@/components/ui/select";
import { Textarea } from "@/components/ui/textarea";
import { editBody, readBody } from "../frontmatter/edit-body";
import { editField, type NewValue } from "../frontmatter/edit-field";
import { FORM_FIELDS, type FormField, type FormKey } from "../frontmatter/form-fields";
import { type FieldValue, type FormReading, type FormValues, readForm } from "../frontmatter/read-form";
import { ChipsField, MapField } from "./frontmatter-fields";

type FrontmatterFormProps = {
  text: string;
  shown: ShownForm;
  onChange: (text: string) => void;
  onGoTo: (line: number) => void;
};

const required: readonly FormKey[] = ["name", "description"];
const flags = [
  { value: "true", label: "Yes" },
  { value: "false", label: "No" },
];
const contexts = [{ value: "fork", label: "A separate conversation (fork)" }];

/** The frontmatter of a SKILL.md as fields. Each change writes only the lines of its field. */
export function FrontmatterForm({ text, shown: { reading, values }, onChange, onGoTo }: FrontmatterFormProps) {
  const [refused, setRefused] = useState<{ key: FormKey; text: string } | null>(null);

  const set = (key: FormKey, value: NewValue) => {
    const edited = editField(text, key, value);
    setRefused(edited === null ? { key, text } : null);
    if (edited !== null && edited !== text) onChange(edited);
  };

  return (
    <div className="flex flex-col gap-4 p-4">
      {reading.ok ? null : (
        <Notice
          tone="warning"
          announce
          title={`Frontmatter error on line ${reading.line}`}
          action={
            <Button size="sm" onClick={() => onGoTo(reading.line)}>
              Go to line {reading.line}
            </Button>
          }
        >
          <p>{reading.message} The form shows the last valid values and is disabled until you correct the text.</p>
        </Notice>
      )}
      {values === null ? null : (
        <fieldset disabled={!reading.ok} className="flex min-w-0 flex-col gap-4 disabled:opacity-70">
          <legend className="sr-only">Frontmatter</legend>
          {FORM_FIELDS.map((field) => (
            <div key={field.key} className="flex flex-col gap-4">
              <div>
                <FieldControl field={field} value={values[field.key]} onSet={(value) => set(field.key, value)} />
                {refused?.key === field.key && refused.text === text ? (
                  <p role="alert" className="mt-1 text-13 text-danger">
                    The form cannot change this value because of how it is written. Edit it in the text view.
                  </p>
                ) : null}
              </div>
              {field.key === "description" ? <BodyField text={text} onChange={onChange} /> : null}
            </div>
          ))}
        </fieldset>
      )}
    </div>
  );
}

type FieldControlProps = { field: FormField & { key: FormKey }; value: FieldValue; onSet: (value: NewValue) => void };

function FieldControl({ field, value, onSet }: FieldControlProps): ReactNode {
  if (value.kind === "other") return <OnlyInText field={field} />;
  switch (field.kind) {
    case "text":
    case "prose":
      return (
        <TextField
          field={field}
          value={value.kind === "text" ? value.text : ""}
          isSet={value.kind !== "unset"}
          required={required.includes(field.key)}
          onChange={onSet}
          onClear={() => onSet(null)}
        />
      );
    case "flag":
      return (
        <ChoiceField
          field={field}
          value={value.kind === "flag" ? String(value.on) : ""}
          options={flags}
          onChange={(next) => onSet(next === "" ? null : next === "true")}
        />
      );
    case "fork":
      return (
        <ChoiceField
          field={field}
          value={value.kind === "text" ? value.text : ""}
          options={contexts}
          onChange={(next) => onSet(next === "" ? null : next)}
        />
      );
    case "tools":
    case "list":
      return (
        <ChipsField
          field={field}
          items={value.kind === "items" ? value.items : []}
          onChange={(items) => onSet(items.length === 0 ? null : items)}
        />
      );
    case "map":
      return (
        <MapField
          field={field}
          entries={value.kind === "entries" ? value.entries : []}
          onChange={(entries) => onSet(isEmptied(value, entries) ? null : entries)}
        />
      );
  }
}

/** The instructions, which follow the frontmatter. */
function BodyField({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  return (
    <Field label="Instructions" help="What an agent does, step by step, in Markdown." required>
      <Textarea
        rows={10}
        className="font-mono text-xs"
        value={readBody(text)}
        onChange={({ target }) => onChange(editBody(text, target.value))}
      />
    </Field>
  );
}

function isEmptied(value: FieldValue, entries: Record<string, string>): boolean {
  const others = value.kind === "entries" && value.entries.some((entry) => entry.value === null);
  return Object.keys(entries).length === 0 && !others;
}

function OnlyInText({ field }: { field: FormField }) {
  return (
    <div className="text-13">
      <p className="font-medium">{field.label}</p>
      <p className="text-muted-foreground">The form cannot show this value. Edit it in the text view.</p>
    </div>
  );
}

type ChoiceFieldProps = {
  field: FormField;
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
};

function ChoiceField({ field, value, options, onChange }: ChoiceFieldProps) {
  const offered = [{ value: "", label: `Not set (${(field.unset ?? "").toLowerCase()})` }, ...options];
  const isKnown = offered.some((option) => option.value === value);
  const all = isKnown ? offered : [...offered, { value, label: value }];
  return (
    <Field label={field.label} help={field.help} optional>
      <Select value={value} onChange={(event) => onChange(event.target.value)} options={all} />
    </Field>
  );
}

type TextFieldProps = {
  field: FormField;
  value: string;
  isSet: boolean;
  required: boolean;
  onChange: (text: string) => void;
  onClear: () => void;
};

/** Keeps the typed text locally, since the stored value drops the trailing space before the next word. */
function TextField({ field, value, isSet, required, onChange, onClear }: TextFieldProps) {
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
    <Field label={field.label} required={required} optional={!required} help={field.help}>
      {field.kind === "prose" ? <Textarea rows={3} {...control} /> : <Input {...control} />}
    </Field>
  );
}

/** The last valid form values, and the result of reading the current text. */
type ShownForm = { reading: FormReading; values: FormValues | null };

/** Reads the text also while the form is hidden, so that the form opens with the last valid values. */
export function useFormReading(text: string | null): ShownForm {
  const reading = useMemo(() => readForm(text ?? ""), [text]);
  const [good, setGood] = useState<FormValues | null>(null);
  const values = text !== null && reading.ok ? reading.values : null;
  if (values !== null && values !== good) setGood(values);
  return { reading, values: values ?? good };
}
