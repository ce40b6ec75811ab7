"use client";

import type { WidgetProps } from "@rjsf/utils";
import { Checkbox } from "@/components/ui/checkbox";
import { cn } from "@/components/ui/cn";
import { Select } from "@/components/ui/select";
import { describedBy } from "./field-parts";

const fewOptions = 4;
const shortLabel = 24;

/** One of a list: side by side when they are few and short, else a select; a list of several as checkboxes. */
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

/** What is set but is none of the options stays visible. */
function unknownLabel(value: unknown): string {
  return value === undefined || value === null ? "Choose…" : `${JSON.stringify(value)} (not an option)`;
}
