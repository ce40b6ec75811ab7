import {
  ADDITIONAL_PROPERTY_FLAG,
  type ArrayFieldItemTemplateProps,
  type ArrayFieldTemplateProps,
  type FieldTemplateProps,
  getSchemaType,
  type MultiSchemaFieldTemplateProps,
  type OptionalDataControlsTemplateProps,
  type UnsupportedFieldProps,
} from "@rjsf/utils";
import { ArrowDown, ArrowUp, Plus, X } from "lucide-react";
import { Button } from "@/components/ui/button";
import { IconButton } from "@/components/ui/icon-button";
import { Input } from "@/components/ui/input";
import { Notice } from "@/components/ui/notice";
import { isObjectLike } from "./args";
import { FieldErrors, FieldHelp, FieldLabel, InChoice, OptionalMark } from "./field-parts";

/** Label, control, help and errors of one argument. Objects and lists render their own heading. */
export function FieldTemplate(props: FieldTemplateProps) {
  const { id, label, children, rawErrors, schema, required = false, displayLabel, rawDescription } = props;
  if (schema.const !== undefined)
    return <FixedValue label={label} value={schema.const} {...(rawErrors ? { errors: rawErrors } : {})} id={id} />;
  const type = getSchemaType(schema);
  // A choice between objects shows that it is optional by its Add and Remove buttons.
  const hasAddControl = !required && isObjectLike(schema, props.registry.rootSchema);
  const isGroup = type === "object" || type === "array";
  const isSwitch = type === "boolean" && !schema.enum && !schema.oneOf;
  const hasLabel = displayLabel === true || (!isGroup && !isSwitch && label !== "");
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

/** A constant of the schema: shown because it is sent, but not editable. */
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

/** A property outside the schema, with an editable key and a remove button. */
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

export function ArrayTemplate(props: ArrayFieldTemplateProps) {
  const { fieldPathId, title, schema, items, canAdd, onAddClick, required = false } = props;
  const id = fieldPathId.$id;
  return (
    <fieldset
      id={id}
      tabIndex={-1}
      aria-labelledby={`${id}-name`}
      aria-describedby={schema.description ? `${id}-help` : undefined}
      className="min-w-0"
    >
      <div className="flex min-h-7 items-center justify-between gap-2">
        <span id={`${id}-name`} className="font-medium text-13">
          {title}
        </span>
        <OptionalMark required={required} />
      </div>
      <FieldHelp id={id} text={schema.description} />
      {items.length > 0 ? <ol className="mt-2 flex flex-col gap-2">{items}</ol> : null}
      {canAdd ? (
        <Button size="sm" className="mt-2" onClick={onAddClick}>
          <Plus aria-hidden /> Add {items.length === 0 ? "item" : "another item"}
          <span className="sr-only"> to {title}</span>
        </Button>
      ) : null}
    </fieldset>
  );
}

export function ArrayItemTemplate({ children, buttonsProps, hasToolbar, index }: ArrayFieldItemTemplateProps) {
  const { hasMoveUp, hasMoveDown, hasRemove, onMoveUpItem, onMoveDownItem, onRemoveItem, disabled } = buttonsProps;
  const place = index + 1;
  return (
    <li className="flex items-start gap-2">
      <span aria-hidden className="w-5 shrink-0 pt-1.5 text-right text-muted-foreground text-xs tabular-nums">
        {place}
      </span>
      <div className="min-w-0 flex-1">{children}</div>
      {hasToolbar ? (
        <span className="flex shrink-0">
          {hasMoveUp || hasMoveDown ? (
            <>
              <IconButton
                label={`Move item ${place} up`}
                size="sm"
                disabled={!hasMoveUp || disabled}
                onClick={onMoveUpItem}
              >
                <ArrowUp aria-hidden />
              </IconButton>
              <IconButton
                label={`Move item ${place} down`}
                size="sm"
                disabled={!hasMoveDown || disabled}
                onClick={onMoveDownItem}
              >
                <ArrowDown aria-hidden />
              </IconButton>
            </>
          ) : null}
          {hasRemove ? (
            <IconButton label={`Remove item ${place}`} size="sm" disabled={disabled} onClick={onRemoveItem}>
              <X aria-hidden />
            </IconButton>
          ) : null}
        </span>
      ) : null}
    </li>
  );
}

/** `oneOf` and `anyOf`: the selector, then the fields of the selected option. */
export function ChoiceTemplate({ selector, optionSchemaField }: MultiSchemaFieldTemplateProps) {
  return (
    <div className="flex flex-col gap-3">
      {selector}
      <InChoice value={true}>{optionSchemaField}</InChoice>
    </div>
  );
}

/** Adds or removes an optional object, so that its required fields do not block the form. */
export function OptionalDataTemplate(props: OptionalDataControlsTemplateProps) {
  const { id, label, schema, onAddClick, onRemoveClick } = props;
  if (!onAddClick && !onRemoveClick) return <span className="text-muted-foreground text-xs">{label}</span>;
  return (
    <Button
      id={id}
      size="sm"
      variant="ghost"
      className="-mr-2 text-muted-foreground"
      onClick={onAddClick ?? onRemoveClick}
    >
      {onAddClick ? "Add" : "Remove"} {schema.title ? <span className="sr-only">{schema.title}</span> : null}
    </Button>
  );
}

export function UnsupportedTemplate({ schema, fieldPathId }: UnsupportedFieldProps) {
  const name = schema.title ?? fieldPathId.path.join(".");
  return <Notice>The form cannot show “{name}”. Edit it as JSON.</Notice>;
}
