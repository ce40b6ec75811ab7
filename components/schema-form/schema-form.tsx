// The package root also loads a test set-up with a validator that is not installed.
import Form from "@rjsf/core/lib/components/Form.js";
import {
  canExpand,
  type ErrorSchema,
  englishStringTranslator,
  type ObjectFieldTemplateProps,
  type RegistryWidgetsType,
  type RJSFSchema,
  type RJSFValidationError,
  type TemplatesType,
  TranslatableString,
  type UiSchema,
  type ValidationData,
  type ValidatorType,
  type WidgetProps,
} from "@rjsf/utils";
import { Plus } from "lucide-react";
import { useContext, useMemo, useState } from "react";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { Input } from "@/components/ui/input";
import type { ApiFieldError } from "@/lib/client/api";
import { leaveOutOptionals, pruneArgs } from "./args";
import { checkArgs, fits } from "./check-args";
import { toErrorSchema } from "./error-schema";
import { describedBy, FieldHelp, InChoice, OptionalMark } from "./field-parts";
import { anyJsonFormat, toFormSchema } from "./form-schema";
import {
  ArrayItemTemplate,
  ArrayTemplate,
  ChoiceTemplate,
  FieldTemplate,
  groupTitle,
  OptionalDataTemplate,
  UnsupportedTemplate,
} from "./templates";
import { JsonWidget, SelectWidget, SwitchWidget, TextWidget } from "./widgets";

type FormData = Record<string, unknown>;

/** rjsf's validator interface on top of `checkArgs`, since the content security policy forbids `eval`. */
const validator: ValidatorType<FormData, RJSFSchema> = {
  validateFormData(formData, schema): ValidationData<FormData> {
    const errors = checkArgs(schema, formData ?? {});
    return { errors: errors.map(toRjsfError), errorSchema: toErrorSchema(errors) as ErrorSchema<FormData> };
  },
  isValid: (schema, formData, rootSchema) => fits(schema, formData, rootSchema),
  rawValidation: <Result,>(schema: RJSFSchema, formData?: FormData) => ({
    errors: checkArgs(schema, formData ?? {}) as Result[],
  }),
};

const templates: Partial<Omit<TemplatesType, "ButtonTemplates">> = {
  FieldTemplate,
  ObjectFieldTemplate: ObjectTemplate,
  ArrayFieldTemplate: ArrayTemplate,
  ArrayFieldItemTemplate: ArrayItemTemplate,
  MultiSchemaFieldTemplate: ChoiceTemplate,
  OptionalDataControlsTemplate: OptionalDataTemplate,
  UnsupportedFieldTemplate: UnsupportedTemplate,
};

/** Replaces every rjsf widget. Schemas are untrusted, so the format `hidden` must not hide an argument. */
const widgets: RegistryWidgetsType = {
  TextWidget,
  PasswordWidget: TextWidget,
  EmailWidget: TextWidget,
  URLWidget: TextWidget,
  TextareaWidget: TextWidget,
  ColorWidget: TextWidget,
  FileWidget: TextWidget,
  TimeWidget: TextWidget,
  HiddenWidget: TextWidget,
  RatingWidget: TextWidget,
  UpDownWidget: TextWidget,
  RangeWidget: TextWidget,
  DateWidget,
  AltDateWidget: DateWidget,
  DateTimeWidget,
  AltDateTimeWidget: DateTimeWidget,
  CheckboxWidget: SwitchWidget,
  SelectWidget,
  RadioWidget: SelectWidget,
  CheckboxesWidget: SelectWidget,
  [anyJsonFormat]: JsonWidget,
};

type Args = Record<string, unknown>;

type SchemaFormProps = {
  /** JSON Schema 2020-12 of an object. */
  schema: Record<string, unknown>;
  value: Args;
  onChange: (value: Args) => void;
  errors: readonly ApiFieldError[];
};

const uiSchema: UiSchema = { "ui:globalOptions": { enableOptionalDataFieldForType: ["object"] } };

/** A form generated from a schema; the caller validates and submits. Heavy: load it with next/dynamic. */
export default function SchemaForm({ schema, value, onChange, errors }: SchemaFormProps) {
  const formSchema = useMemo(() => toFormSchema(schema), [schema]);
  // Keeps newly added, still empty optional objects in the form; the arguments omit them.
  const [edited, setEdited] = useState<{ value: Args; data: Args } | null>(null);
  const fresh = useMemo(() => leaveOutOptionals(formSchema, value), [formSchema, value]);
  const formData = edited?.value === value ? edited.data : fresh;
  const extraErrors = useMemo(() => toErrorSchema(errors), [errors]);
  return (
    <Form
      tagName="div"
      idPrefix="arg"
      schema={formSchema}
      uiSchema={uiSchema}
      formData={formData}
      validator={validator}
      templates={templates}
      widgets={widgets}
      extraErrors={extraErrors}
      translateString={withoutSamples}
      noValidate
      showErrorList={false}
      onChange={({ formData: data = {} }: { formData?: Args }) => {
        const args = pruneArgs(formSchema, data);
        setEdited({ value: args, data });
        onChange(args);
      }}
    >
      {/* Instead of rjsf's own submit button. */}
      <span hidden />
    </Form>
  );
}

/** New entries start empty instead of with a sample text. */
function withoutSamples(text: TranslatableString, params?: string[]): string {
  return text === TranslatableString.NewStringDefault ? "" : englishStringTranslator(text, params);
}

/** A date picker; a value that is not a date is shown as text. */
function DateWidget(props: WidgetProps) {
  const isDay = props.value === undefined || /^\d{4}-\d\d-\d\d$/.test(String(props.value));
  if (!isDay) return <TextWidget {...props} />;
  return <Picker {...props} type="date" shown={String(props.value ?? "")} read={(text) => text} />;
}

/** A date-time picker in the browser's time zone; the value is UTC. */
function DateTimeWidget(props: WidgetProps) {
  const local = props.value === undefined ? "" : toLocalInput(String(props.value));
  if (local === null) return <TextWidget {...props} />;
  return <Picker {...props} type="datetime-local" shown={local} read={fromLocalInput} />;
}

type PickerProps = WidgetProps & {
  type: "date" | "datetime-local";
  shown: string;
  read: (text: string) => string | null;
};

function Picker({ id, schema, disabled, readonly, required, rawErrors, onChange, type, shown, read }: PickerProps) {
  return (
    <Input
      id={id}
      type={type}
      step={type === "date" ? undefined : 1}
      value={shown}
      disabled={disabled ?? false}
      readOnly={readonly ?? false}
      aria-required={required || undefined}
      aria-invalid={rawErrors?.length ? true : undefined}
      aria-describedby={describedBy(id, { help: schema.description, errors: rawErrors })}
      className="max-w-60"
      onChange={({ target }) => onChange(target.value === "" ? undefined : (read(target.value) ?? target.value))}
    />
  );
}

/** The root object without a frame; nested objects as an indented fieldset. */
function ObjectTemplate(props: ObjectFieldTemplateProps) {
  const { fieldPathId, schema, uiSchema, formData, properties, onAddProperty, optionalDataControl } = props;
  const id = fieldPathId.$id;
  const isRoot = fieldPathId.path.length === 0;
  const choice = useContext(InChoice);
  const isNamed = choice !== null;
  const title = choice ?? groupTitle(props);
  const isChoice = (schema.oneOf || schema.anyOf) && properties.length === 0;
  if (isChoice) return null;
  const content = (
    <>
      {properties.map(({ name, content: field }) => (
        <div key={name} className="empty:hidden">
          {field}
        </div>
      ))}
      {canExpand(schema, uiSchema, formData) ? (
        <Button size="sm" className="self-start" onClick={onAddProperty}>
          <Plus aria-hidden /> Add entry
          {title ? <span className="sr-only"> to {title}</span> : null}
        </Button>
      ) : null}
    </>
  );
  if (isRoot) return <div className="flex flex-col gap-5">{content}</div>;
  return (
    <fieldset
      id={id}
      aria-labelledby={`${id}-name`}
      aria-describedby={schema.description ? `${id}-help` : undefined}
      className="min-w-0"
    >
      <div
        className={cn(
          "flex items-center justify-between gap-2",
          isNamed ? "justify-end" : "min-h-7",
          isNamed && properties.length === 0 && "-mt-8",
        )}
      >
        <span id={`${id}-name`} className={isNamed ? "sr-only" : "font-medium text-13"}>
          {title}
        </span>
        {optionalDataControl ?? (isNamed ? null : <OptionalMark required={props.required ?? false} />)}
      </div>
      <FieldHelp id={id} text={schema.description} />
      <InChoice value={null}>
        <div className={cn("mt-2 flex flex-col gap-4 border-l-2 pl-4", properties.length === 0 && "hidden")}>
          {content}
        </div>
      </InChoice>
    </fieldset>
  );
}

/** Converts an ISO time to the format of `datetime-local` in the browser's time zone; null when invalid. */
export function toLocalInput(iso: string): string | null {
  const isMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/i.test(iso);
  const time = isMoment ? new Date(iso) : null;
  if (!time || Number.isNaN(time.getTime())) return null;
  const pad = (value: number, length = 2) => String(value).padStart(length, "0");
  const day = `${pad(time.getFullYear(), 4)}-${pad(time.getMonth() + 1)}-${pad(time.getDate())}`;
  return `${day}T${pad(time.getHours())}:${pad(time.getMinutes())}:${pad(time.getSeconds())}`;
}

/** Converts a `datetime-local` value to UTC; null when incomplete. */
export function fromLocalInput(local: string): string | null {
  const time = new Date(local);
  return Number.isNaN(time.getTime()) ? null : time.toISOString().replace(".000Z", "Z");
}

function toRjsfError({ path, message }: ApiFieldError): RJSFValidationError {
  return { property: path === "" ? "." : `.${path}`, message, stack: `${path} ${message}`.trim() };
}
