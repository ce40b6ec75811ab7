import { getSchemaType, type RJSFSchema, type WidgetProps } from "@rjsf/utils";
import { Checkbox } from "@/components/ui/checkbox";
import { cn } from "@/components/ui/cn";
import { Input } from "@/components/ui/input";
import { Label } from "@/components/ui/label";
import { Select } from "@/components/ui/select";
import { Switch } from "@/components/ui/switch";
import { Textarea } from "@/components/ui/textarea";
import { describedBy } from "./field-parts";

const fewOptions = 4;
const shortLabel = 24;

/** Radio buttons for up to four short options, else a select; checkboxes for several choices. */
export function SelectWidget(props: WidgetProps) {
  const options = props.options.enumOptions ?? [];
  if (props.multiple) return <ManyOf {...props} />;
  const isFew = options.length <= fewOptions && options.every(({ label }) => label.length <= shortLabel);
  return isFew ? <OneOfFew {...props} /> : <OneOf {...props} />;
}

function OneOf(props: WidgetProps) {
  const { id, schema, value, required, disabled, readonly, rawErrors, label, onChange } = props;
  const options = props.options.enumOptions ?? [];
  const selected = options.findIndex((option) => isSame(option.value, value));
  return (
    <Select
      id={id}
      value={selected === -1 ? "" : String(selected)}
      disabled={disabled || readonly}
      aria-required={required || undefined}
      aria-invalid={rawErrors?.length ? true : undefined}
      aria-describedby={describedBy(id, { help: schema.description, errors: rawErrors })}
      aria-label={props.hideLabel ? label : undefined}
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
  const { id, schema, value, required, disabled, readonly, rawErrors, label, onChange } = props;
  const options = props.options.enumOptions ?? [];
  return (
    <div
      id={id}
      role="radiogroup"
      aria-label={label}
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

function ManyOf({ id, schema, value, disabled, readonly, label, options, onChange }: WidgetProps) {
  const picked: unknown[] = Array.isArray(value) ? value : [];
  const choices = options.enumOptions ?? [];
  const toggle = (choice: unknown, isOn: boolean) => {
    const next = choices
      .map((option): unknown => option.value)
      .filter((option) => {
        return isSame(option, choice) ? isOn : picked.some((other) => isSame(other, option));
      });
    onChange(next);
  };
  return (
    <fieldset
      id={id}
      aria-label={label}
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

export function SwitchWidget({
  id,
  schema,
  value,
  disabled,
  readonly,
  label,
  hideLabel,
  rawErrors,
  onChange,
}: WidgetProps) {
  return (
    <div className="flex min-h-8 items-center gap-3">
      <Switch
        id={id}
        checked={value === true}
        disabled={disabled || readonly || schema.const !== undefined}
        aria-label={hideLabel ? label : undefined}
        aria-invalid={rawErrors?.length ? true : undefined}
        aria-describedby={describedBy(id, { help: schema.description, errors: rawErrors })}
        onCheckedChange={onChange}
      />
      {hideLabel ? null : <Label htmlFor={id}>{label}</Label>}
    </div>
  );
}

const inputTypes: Record<string, "email" | "url" | "password"> = { email: "email", uri: "url", password: "password" };
const longText = 200;

/** Text and numbers. Numbers use a text input, so that invalid input stays visible until it is corrected. */
export function TextWidget(props: WidgetProps) {
  const { id, schema, value, required, disabled, readonly, onChange, rawErrors, options } = props;
  const isNumber = isNumeric(schema);
  const shared = {
    id,
    value: value === undefined || value === null ? "" : String(value),
    disabled: disabled ?? false,
    readOnly: (readonly ?? false) || schema.const !== undefined,
    placeholder: placeholderOf(props),
    "aria-required": required || undefined,
    "aria-invalid": rawErrors?.length ? true : undefined,
    "aria-describedby": describedBy(id, { help: schema.description, errors: rawErrors }),
    "aria-label": props.hideLabel ? props.label : undefined,
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
    return <Input {...shared} inputMode={inputMode} autoComplete="off" className="tabular-nums" />;
  }
  if (isLong(schema, shared.value)) return <Textarea {...shared} rows={5} spellCheck={false} />;
  return <Input {...shared} type={inputTypes[schema.format ?? ""] ?? "text"} autoComplete="off" spellCheck={false} />;
}

function isNumeric(schema: RJSFSchema): boolean {
  const types = [getSchemaType(schema)].flat();
  return types.includes("number") || types.includes("integer");
}

function isSecret(schema: RJSFSchema): boolean {
  return schema.format === "password" || schema.writeOnly === true || Reflect.get(schema, "x-secret") === true;
}

function isLong(schema: RJSFSchema, value: string): boolean {
  const samples = [schema.default, ...(Array.isArray(schema.examples) ? schema.examples : []), value];
  const holdsLines = samples.some((sample) => typeof sample === "string" && sample.includes("\n"));
  return holdsLines || (schema.maxLength ?? 0) > longText || "contentMediaType" in schema;
}

function placeholderOf({ schema, placeholder }: WidgetProps): string | undefined {
  const example: unknown = Array.isArray(schema.examples) ? schema.examples[0] : undefined;
  if (example === undefined) return placeholder || undefined;
  return typeof example === "string" ? example : JSON.stringify(example);
}
