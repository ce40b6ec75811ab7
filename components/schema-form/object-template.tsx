import { canExpand, type ObjectFieldTemplateProps } from "@rjsf/utils";
import { Plus } from "lucide-react";
import { useContext } from "react";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { FieldHelp, OptionalMark } from "./field-parts";
import { InChoice } from "./in-choice";

/** The arguments themselves at the top; below, a nested object with a line at its side. */
export function ObjectTemplate(props: ObjectFieldTemplateProps) {
  const { fieldPathId, title, schema, uiSchema, formData, properties, onAddProperty, optionalDataControl } = props;
  const id = fieldPathId.$id;
  const isRoot = fieldPathId.path.length === 0;
  const isNamed = useContext(InChoice);
  const isChoice = (schema.oneOf || schema.anyOf) && properties.length === 0;
  if (isChoice) return null;
  const content = (
    <>
      {properties.map(({ name, content: field }) => (
        <div key={name}>{field}</div>
      ))}
      {canExpand(schema, uiSchema, formData) ? (
        <Button size="sm" className="self-start" onClick={onAddProperty}>
          <Plus aria-hidden /> Add another argument
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
      <InChoice value={false}>
        <div className={cn("mt-2 flex flex-col gap-4 border-l-2 pl-4", properties.length === 0 && "hidden")}>
          {content}
        </div>
      </InChoice>
    </fieldset>
  );
}
