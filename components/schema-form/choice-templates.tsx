import type {
  MultiSchemaFieldTemplateProps,
  OptionalDataControlsTemplateProps,
  UnsupportedFieldProps,
} from "@rjsf/utils";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { InChoice } from "./in-choice";

/** `oneOf` and `anyOf`: which form it takes, then that form's fields. */
export function ChoiceTemplate({ selector, optionSchemaField }: MultiSchemaFieldTemplateProps) {
  return (
    <div className="flex flex-col gap-3">
      {selector}
      <InChoice value={true}>{optionSchemaField}</InChoice>
    </div>
  );
}

/** An optional object is not there until somebody adds it, so that its required fields do not stand in the way. */
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

/** A part of a schema that no form can show. */
export function UnsupportedTemplate({ schema, fieldPathId }: UnsupportedFieldProps) {
  const name = schema.title ?? fieldPathId.path.join(".");
  return <Notice>“{name}” cannot be shown as a form. Set it under JSON.</Notice>;
}
