import type { WidgetProps } from "@rjsf/utils";
import { useState } from "react";
import { Textarea } from "@/components/ui/textarea";
import { describedBy } from "./field-parts";

const linesAtMost = 12;

/** Any JSON value as text. Text that is not JSON is the value itself, so that the check can name the mistake. */
export function JsonWidget({ id, schema, value, required, disabled, readonly, rawErrors, onChange }: WidgetProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed !== null && isSame(readJson(typed), value) ? typed : writeJson(value);
  const example: unknown = Array.isArray(schema.examples) ? schema.examples[0] : undefined;
  return (
    <Textarea
      id={id}
      rows={Math.min(linesAtMost, Math.max(3, text.split("\n").length))}
      value={text}
      disabled={disabled ?? false}
      readOnly={readonly ?? false}
      spellCheck={false}
      placeholder={example === undefined ? '{ "name": "value" }' : JSON.stringify(example)}
      aria-required={required || undefined}
      aria-invalid={rawErrors?.length ? true : undefined}
      aria-describedby={describedBy(id, { help: schema.description, errors: rawErrors })}
      onChange={({ target }) => {
        setTyped(target.value);
        onChange(readJson(target.value));
      }}
      className="font-mono text-xs leading-5 max-md:text-base"
    />
  );
}

function readJson(text: string): unknown {
  if (text.trim() === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function writeJson(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" && readJson(value) === value ? value : JSON.stringify(value, null, 2);
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
