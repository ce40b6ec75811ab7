import { getSchemaType, type RJSFSchema, type WidgetProps } from "@rjsf/utils";
import { useState } from "react";
import { Checkbox } from "@/components/ui/checkbox";
import { cn } from "@/components/ui/cn";
import { Label } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { Switch } from "@/components/ui/switch";
import { Textarea } from "@/components/ui/textarea";
import { describedBy, labelIdOf } from "./field-parts";
import { isSecret } from "./resolve-schema";
import { choiceLabels } from "./titles";

const fewOptions = 4;
const shortLabel = 24;

/** Radio buttons for up to four short options, else a select; checkboxes for several choices. */
export function SelectWidget(props: WidgetProps) {
  const options = props.options.enumOptions ?? [];
  if (props.multiple) return <ManyOf {...props} />;
  const isFew =
    options.length > 1 && options.length <= fewOptions && options.every(({ label }) => label.length <= shortLabel);
  return isFew ? <OneOfFew {...props} /> : <OneOf {...props} />;
}

/** The choices with readable labels. Choices with a title of their own keep it. */
function optionsOf({ options: { enumOptions = [] } }: WidgetProps): { value: unknown; label: string }[] {
  const labels = choiceLabels(enumOptions.map(({ value }) => value));
  return enumOptions.map(({ value, label }, index) => ({
    value,
    label: label === String(value) ? (labels[index] ?? label) : label,
  }));
}

function OneOf(props: WidgetProps) {
  const { id, schema, value, required, disabled, readonly, rawErrors, onChange } = props;
  const options = optionsOf(props);
  const selected = options.findIndex((option) => isSame(option.value, value));
  return (
    <Select
      id={id}
      value={selected === -1 ? "" : String(selected)}
      disabled={disabled || readonly}
      aria-required={required || undefined}
      aria-invalid={rawErrors?.length ? true : undefined}
      aria-describedby={describedBy(id, { help: schema.description, errors: rawErrors })}
      aria-labelledby={labelIdOf(id)}
      className="max-w-80"
      onChange={({ target }) => onChange(target.value === "" ? undefined : options[Number(target.value)]?.value)}
    >
      {selected === -1 || !required ? <option value="">{unknownLabel(value)}</option> : null}
      {options.map((option, index) => (
        <option key={option.label} value={index}>
          {option.label}
        </option>
      ))}
    </Select>
  );
}

function OneOfFew(props: WidgetProps) {
  const { id, schema, value, required, disabled, readonly, rawErrors, onChange } = props;
  const options = optionsOf(props);
  return (
    <div
      id={id}
      role="radiogroup"
      aria-labelledby={labelIdOf(id)}
      aria-required={required || undefined}
      aria-describedby={describedBy(id, { help: schema.description, errors: rawErrors })}
      className="flex flex-wrap gap-x-4 gap-y-1"
    >
      {options.map((option, index) => (
        <label key={option.label} className="inline-flex min-h-8 items-center gap-2 text-13">
          <input
            type="radio"
            name={id}
            checked={isSame(option.value, value)}
            disabled={disabled || readonly}
            onChange={() => onChange(option.value)}
            onClick={() => !required && isSame(option.value, value) && onChange(undefined)}
            data-index={index}
            className="size-4 accent-(--primary)"
          />
          {option.label}
        </label>
      ))}
    </div>
  );
}

function ManyOf(props: WidgetProps) {
  const { id, schema, value, disabled, readonly, rawErrors, onChange } = props;
  const picked: unknown[] = Array.isArray(value) ? value : [];
  const choices = optionsOf(props);
  const toggle = (choice: unknown, isOn: boolean) => {
    const next = choices
      .map((option): unknown => option.value)
      .filter((option) => {
        return isSame(option, choice) ? isOn : picked.some((other) => isSame(other, option));
      });
    onChange(next.length === 0 && !props.required ? undefined : next);
  };
  return (
    <fieldset
      id={id}
      aria-labelledby={labelIdOf(id)}
      aria-describedby={describedBy(id, { help: schema.description, errors: rawErrors })}
      className={cn("flex gap-x-4 gap-y-1", choices.length > 6 ? "flex-col" : "flex-wrap")}
    >
      {choices.map((choice) => {
        const choiceId = `${id}-${choice.label}`;
        return (
          <span key={choice.label} className="inline-flex min-h-8 items-center gap-2 text-13">
            <Checkbox
              id={choiceId}
              checked={picked.some((other) => isSame(other, choice.value))}
              disabled={disabled || readonly || schema.const !== undefined}
              onCheckedChange={(isOn) => toggle(choice.value, isOn === true)}
            />
            <label htmlFor={choiceId}>{choice.label}</label>
          </span>
        );
      })}
    </fieldset>
  );
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === "object" && a !== null && JSON.stringify(a) === JSON.stringify(b));
}

/** Shows a value that is not among the options. */
function unknownLabel(value: unknown): string {
  return value === undefined || value === null ? "Choose…" : `${JSON.stringify(value)} (not an option)`;
}

export function SwitchWidget({ id, schema, value, disabled, readonly, label, rawErrors, onChange }: WidgetProps) {
  const isItem = /_\d+$/.test(id);
  return (
    <div className="flex min-h-8 items-center gap-3">
      <Switch
        id={id}
        checked={value === true}
        disabled={disabled || readonly || schema.const !== undefined}
        aria-labelledby={isItem ? labelIdOf(id) : undefined}
        aria-invalid={rawErrors?.length ? true : undefined}
        aria-describedby={describedBy(id, { help: schema.description, errors: rawErrors })}
        onCheckedChange={onChange}
      />
      {isItem ? null : <Label htmlFor={id}>{label}</Label>}
    </div>
  );
}

const inputTypes: Record<string, "email" | "url" | "password"> = { email: "email", uri: "url", password: "password" };
/** Longer texts get several lines, as do those whose name says that they hold a text. */
const longText = 2000;
const longNames =
  /^(.*[_-])?(body|content|contents|message|text|description|prompt|script|code|html|markdown|sql|patch|diff|comment|thought)$/;
const linesAtMost = 12;

/** Text and numbers. Numbers use a text input, so that invalid input stays visible until it is corrected. */
export function TextWidget(props: WidgetProps) {
  const { id, schema, value, required, disabled, readonly, onChange, rawErrors, options } = props;
  const isNumber = isNumeric(schema);
  const text = value === undefined || value === null ? "" : String(value);
  const shared = {
    id,
    value: text,
    disabled: disabled ?? false,
    readOnly: (readonly ?? false) || schema.const !== undefined,
    placeholder: placeholderOf(props),
    "aria-required": required || undefined,
    "aria-invalid": rawErrors?.length ? true : undefined,
    "aria-describedby": describedBy(id, { help: schema.description, errors: rawErrors }),
    onChange: ({ target }: { target: { value: string } }) => {
      onChange(target.value === "" ? options.emptyValue : target.value);
    },
  };
  const inputMode: "numeric" | "decimal" = schema.type === "integer" ? "numeric" : "decimal";
  if (isSecret(schema)) {
    const hint = isNumber ? ({ inputMode } as const) : {};
    return <Input {...shared} {...hint} type="password" autoComplete="off" spellCheck={false} />;
  }
  if (isNumber) {
    return <Input {...shared} inputMode={inputMode} autoComplete="off" className="max-w-40 tabular-nums" />;
  }
  if (isLong(props, text)) {
    const rows = Math.min(linesAtMost, Math.max(3, text.split("\n").length));
    return <Textarea {...shared} rows={rows} spellCheck={false} />;
  }
  const type = inputTypes[schema.format ?? ""] ?? "text";
  const isShort = (schema.maxLength ?? longText) <= shortText;
  return (
    <Input {...shared} type={type} autoComplete="off" spellCheck={false} className={isShort ? "max-w-60" : undefined} />
  );
}

const shortText = 40;

function isNumeric(schema: RJSFSchema): boolean {
  const types = [getSchemaType(schema)].flat();
  return types.includes("number") || types.includes("integer");
}

function isLong({ schema, name }: WidgetProps, value: string): boolean {
  const samples = [schema.default, ...(Array.isArray(schema.examples) ? schema.examples : []), value];
  const holdsLines = samples.some((sample) => typeof sample === "string" && sample.includes("\n"));
  if (holdsLines || "contentMediaType" in schema) return true;
  if (schema.format || schema.pattern) return false;
  const limit = schema.maxLength;
  const key = name.replace(/([a-z])([A-Z])/g, "$1_$2").toLowerCase();
  return limit === undefined ? longNames.test(key) : limit > longText || (limit > 200 && longNames.test(key));
}

function placeholderOf({ schema, placeholder }: WidgetProps): string | undefined {
  const example: unknown = Array.isArray(schema.examples) ? schema.examples[0] : undefined;
  if (example === undefined) return placeholder || undefined;
  return typeof example === "string" ? example : JSON.stringify(example);
}

/** Any JSON value as text. Text that is not JSON is the value itself, so that the check can name the mistake. */
export function JsonWidget({ id, schema, value, required, disabled, readonly, rawErrors, onChange }: WidgetProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed !== null && isSameJson(readJson(typed), value) ? typed : writeJson(value);
  const example: unknown = Array.isArray(schema.examples) ? schema.examples[0] : undefined;
  return (
    <Textarea
      id={id}
      rows={Math.min(linesAtMost, Math.max(3, text.split("\n").length))}
      value={text}
      disabled={disabled ?? false}
      readOnly={readonly ?? false}
      spellCheck={false}
      placeholder={example === undefined ? '{ "name": "value" }' : JSON.stringify(example)}
      aria-required={required || undefined}
      aria-invalid={rawErrors?.length ? true : undefined}
      aria-describedby={describedBy(id, { help: schema.description, errors: rawErrors })}
      onChange={({ target }) => {
        setTyped(target.value);
        onChange(readJson(target.value));
      }}
      className="font-mono text-xs leading-5 max-md:text-base"
    />
  );
}

function readJson(text: string): unknown {
  if (text.trim() === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function writeJson(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" && readJson(value) === value ? value : JSON.stringify(value, null, 2);
}

function isSameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
