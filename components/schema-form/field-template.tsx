import { ADDITIONAL_PROPERTY_FLAG, type FieldTemplateProps, getSchemaType } from "@rjsf/utils";
import { X } from "lucide-react";
import { IconButton } from "@/components/ui/icon-button";
import { Input } from "@/components/ui/input";
import { FieldErrors, FieldHelp, FieldLabel } from "./field-parts";
import { isObjectLike } from "./leave-out-optionals";

/** Label, control, help and errors of one argument. Objects and lists bring their own heading. */
export function FieldTemplate(props: FieldTemplateProps) {
  const { id, label, children, rawErrors, schema, required = false, displayLabel, rawDescription } = props;
  if (schema.const !== undefined)
    return <FixedValue label={label} value={schema.const} {...(rawErrors ? { errors: rawErrors } : {})} id={id} />;
  const type = getSchemaType(schema);
  // A choice between objects says that it is optional by its Add and Remove.
  const hasAddControl = !required && isObjectLike(schema, props.registry.rootSchema);
  const isGroup = type === "object" || type === "array";
  // A switch stands beside its label and draws both itself.
  const isSwitch = type === "boolean" && !schema.enum && !schema.oneOf;
  const hasLabel = displayLabel === true || (!isGroup && !isSwitch && label !== "");
  // An item of a list is named by its number beside it.
  const isItem = typeof props.fieldPathId.path.at(-1) === "number";
  const field = (
    <div className="flex min-w-0 flex-1 flex-col gap-1.5" data-field={id}>
      {isItem && !isGroup && !isSwitch ? (
        <label htmlFor={id} className="sr-only">
          {label}
        </label>
      ) : null}
      {hasLabel && !isItem && !isGroup && !isSwitch ? (
        <FieldLabel id={id} required={required || hasAddControl}>
          {label}
        </FieldLabel>
      ) : null}
      {children}
      <FieldErrors id={id} errors={rawErrors} />
      {isGroup ? null : <FieldHelp id={id} text={rawDescription || schema.description} />}
    </div>
  );
  if (!(ADDITIONAL_PROPERTY_FLAG in schema)) return field;
  return <AdditionalProperty {...props}>{field}</AdditionalProperty>;
}

/** What the schema fixes is shown, since it is sent, and cannot be changed. */
function FixedValue({ id, label, value, errors }: { id: string; label: string; value: unknown; errors?: string[] }) {
  return (
    <div data-field={id} className="flex flex-col gap-1.5">
      <p className="break-words text-muted-foreground text-xs">
        {label} is always <code className="font-mono">{JSON.stringify(value)}</code>
      </p>
      <FieldErrors id={id} errors={errors} />
    </div>
  );
}

/** A property the schema does not name: its key can be changed, and it can be taken away. */
function AdditionalProperty({ id, label, onKeyRenameBlur, onRemoveProperty, children }: FieldTemplateProps) {
  return (
    <div className="flex items-end gap-2">
      <Input
        key={label}
        defaultValue={label}
        aria-label={`Name of ${label}`}
        id={`${id}-key`}
        onBlur={onKeyRenameBlur}
        className="w-32 shrink-0 font-mono text-13"
      />
      {children}
      <IconButton label={`Remove ${label}`} onClick={onRemoveProperty}>
        <X aria-hidden />
      </IconButton>
    </div>
  );
}
