import type { ArrayFieldItemTemplateProps, ArrayFieldTemplateProps } from "@rjsf/utils";
import { ArrowDown, ArrowUp, Plus, X } from "lucide-react";
import { Button } from "@/components/ui/button";
import { IconButton } from "@/components/ui/icon-button";
import { FieldHelp, OptionalMark } from "./field-parts";

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
          <Plus aria-hidden /> Add {items.length === 0 ? "an item" : "another"}
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
