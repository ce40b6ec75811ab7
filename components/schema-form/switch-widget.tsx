"use client";

import type { WidgetProps } from "@rjsf/utils";
import { Label } from "@/components/ui/label";
import { Switch } from "@/components/ui/switch";
import { describedBy } from "./field-parts";

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
