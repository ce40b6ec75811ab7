"use client";

import type { WidgetProps } from "@rjsf/utils";
import { Input } from "@/components/ui/input";
import { describedBy } from "./field-parts";
import { fromLocalInput, toLocalInput } from "./local-time";
import { TextWidget } from "./text-widget";

/** A day, by the browser's own picker. A value that is no day is shown as the text it is. */
export function DateWidget(props: WidgetProps) {
  const isDay = props.value === undefined || /^\d{4}-\d\d-\d\d$/.test(String(props.value));
  if (!isDay) return <TextWidget {...props} />;
  return <Picker {...props} type="date" shown={String(props.value ?? "")} read={(text) => text} />;
}

/** A moment: picked in the reader's time zone, sent in UTC. */
export function DateTimeWidget(props: WidgetProps) {
  const local = props.value === undefined ? "" : toLocalInput(String(props.value));
  if (local === null) return <TextWidget {...props} />;
  return <Picker {...props} type="datetime-local" shown={local} read={fromLocalInput} />;
}

type PickerProps = WidgetProps & {
  type: "date" | "datetime-local";
  shown: string;
  read: (text: string) => string | null;
};

function Picker({
  id,
  schema,
  disabled,
  readonly,
  required,
  rawErrors,
  onChange,
  type,
  shown,
  read,
  ...rest
}: PickerProps) {
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
      aria-label={rest.hideLabel ? rest.label : undefined}
      onChange={({ target }) => onChange(target.value === "" ? undefined : (read(target.value) ?? target.value))}
    />
  );
}
