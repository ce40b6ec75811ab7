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
import { type ReactNode, useContext } from "react";
import { Button } from "@/components/ui/button";
import { Label } from "@/components/ui/field";
import { IconButton } from "@/components/ui/icon-button";
import { Input } from "@/components/ui/input";
import { Notice } from "@/components/ui/notice";
import { isObjectLike } from "./args";
import {
  describedBy,
  FieldErrors,
  FieldHelp,
  FieldLabel,
  InChoice,
  InList,
  labelIdOf,
  OptionalMark,
} from "./field-parts";

/** Label, control, help and error of one argument. Objects and lists render their own heading; constants nothing. */
export function FieldTemplate(props: FieldTemplateProps) {
  const { id, label, children, rawErrors, schema, required = false, rawDescription, registry } = props;
  const choice = useContext(InChoice);
  const list = useContext(InList);
  const errors = choice === null ? rawErrors : undefined;
  if (schema.const !== undefined) return <FieldErrors id={id} errors={errors} />;
  const type = getSchemaType(schema);
  // A choice between objects shows that it is optional by its Add and Remove buttons.
  const hasAddControl = !required && isObjectLike(schema, registry.rootSchema);
  const isGroup = (type === "object" || type === "array") && !registry.schemaUtils.isMultiSelect(schema);
  const isSwitch = type === "boolean" && !schema.enum && !schema.oneOf;
  const place = props.fieldPathId.path.at(-1);
  const isItem = typeof place === "number";
  const hasLabel = label !== "" && choice === null && !isGroup && !isItem;
  const isAdded = ADDITIONAL_PROPERTY_FLAG in schema;
  const field = (
    <div className="flex min-w-0 flex-1 flex-col gap-1.5" data-field={choice === null ? id : undefined}>
      {hasLabel && (!isSwitch || isAdded) ? (
        <FieldLabel id={id} required={required || hasAddControl || isAdded}>
          {isAdded ? "Value" : label}
        </FieldLabel>
      ) : null}
      {children}
      <FieldErrors id={id} errors={errors} />
      {isGroup ? null : <FieldHelp id={id} text={rawDescription || schema.description} />}
    </div>
  );
  if (isItem && !isGroup && choice === null) {
    return (
      <ItemOfList id={id} list={list} place={place}>
        {field}
      </ItemOfList>
    );
  }
  if (!isAdded) return field;
  return <AdditionalProperty {...props}>{field}</AdditionalProperty>;
}

type ItemOfListProps = { id: string; list: string; place: number; children: ReactNode };

function ItemOfList({ id, list, place, children }: ItemOfListProps) {
  return (
    <div className="flex min-w-0 items-start gap-2">
      <Label
        id={labelIdOf(id)}
        htmlFor={id}
        className="w-5 shrink-0 pt-2 text-right font-normal text-muted-foreground text-xs tabular-nums"
      >
        <span className="sr-only">{list} </span>
        {place + 1}
      </Label>
      {children}
    </div>
  );
}

/** A property outside the schema, with an editable key and a remove button. */
function AdditionalProperty({ id, label, onKeyRenameBlur, onRemoveProperty, children }: FieldTemplateProps) {
  return (
    <div className="flex items-start gap-2">
      <div className="flex w-32 shrink-0 flex-col gap-1.5">
        <Label htmlFor={`${id}-key`}>Name</Label>
        <Input
          key={label}
          defaultValue={label}
          id={`${id}-key`}
          onBlur={onKeyRenameBlur}
          className="font-mono text-13"
        />
      </div>
      {children}
      <IconButton label={`Remove ${label}`} onClick={onRemoveProperty} className="mt-6">
        <X aria-hidden />
      </IconButton>
    </div>
  );
}

/** The heading of a list or object; as an item of a list its number. */
export function groupTitle({
  fieldPathId,
  title,
  schema,
}: Pick<ArrayFieldTemplateProps, "fieldPathId" | "title" | "schema">): string {
  const place = fieldPathId.path.at(-1);
  if (ADDITIONAL_PROPERTY_FLAG in schema) return "Value";
  return typeof place === "number" ? `Item ${place + 1}` : title;
}

export function ArrayTemplate(props: ArrayFieldTemplateProps) {
  const { fieldPathId, schema, items, canAdd, onAddClick, required = false, rawErrors } = props;
  const id = fieldPathId.$id;
  const choice = useContext(InChoice);
  const title = groupTitle(props);
  return (
    <fieldset
      id={id}
      tabIndex={-1}
      aria-labelledby={choice === null ? `${id}-name` : labelIdOf(id)}
      aria-describedby={describedBy(id, { help: schema.description, errors: rawErrors })}
      className="min-w-0"
    >
      {choice === null ? (
        <div className="flex min-h-7 items-center justify-between gap-2">
          <span id={`${id}-name`} className="font-medium text-13">
            {title}
          </span>
          <OptionalMark required={required} />
        </div>
      ) : null}
      <FieldHelp id={id} text={schema.description} />
      <InChoice value={null}>
        <InList value={choice ?? title}>
          {items.length > 0 ? <ol className="mt-2 flex flex-col gap-2">{items}</ol> : null}
        </InList>
      </InChoice>
      {canAdd ? (
        <Button size="sm" className="mt-2" onClick={onAddClick}>
          <Plus aria-hidden /> Add {items.length === 0 ? "item" : "another item"}
          <span className="sr-only"> to {choice ?? title}</span>
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
export function ChoiceTemplate({ schema, selector, optionSchemaField }: MultiSchemaFieldTemplateProps) {
  return (
    <div className="flex flex-col gap-3">
      {selector}
      <InChoice value={schema.title ?? ""}>{optionSchemaField}</InChoice>
    </div>
  );
}

/** Adds or removes an optional object, so that its required fields do not block the form. */
export function OptionalDataTemplate(props: OptionalDataControlsTemplateProps) {
  const { id, label, schema, onAddClick, onRemoveClick } = props;
  const title = useContext(InChoice) || schema.title;
  if (!onAddClick && !onRemoveClick) return <span className="text-muted-foreground text-xs">{label}</span>;
  return (
    <Button
      id={id}
      size="sm"
      variant="ghost"
      className="-mr-2 text-muted-foreground"
      onClick={onAddClick ?? onRemoveClick}
    >
      {onAddClick ? "Add" : "Remove"} {title ? <span className="sr-only">{title}</span> : null}
    </Button>
  );
}

export function UnsupportedTemplate({ schema, fieldPathId }: UnsupportedFieldProps) {
  const name = schema.title ?? fieldPathId.path.join(".");
  return <Notice>The form cannot show “{name}”. Edit it as JSON.</Notice>;
}
