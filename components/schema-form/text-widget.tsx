"use client";

import { getSchemaType, type RJSFSchema, type WidgetProps } from "@rjsf/utils";
import { Input } from "@/components/ui/input";
import { Textarea } from "@/components/ui/textarea";
import { describedBy } from "./field-parts";

const inputTypes: Record<string, "email" | "url" | "password"> = { email: "email", uri: "url", password: "password" };
const longText = 200;

/**
 * Text and numbers. A number is typed into a text field: what is not a number stays as typed, until it is corrected, in
 * the form and in the JSON alike.
 */
export function TextWidget(props: WidgetProps) {
  const { id, schema, value, required, disabled, readonly, onChange, rawErrors, options } = props;
  const isNumber = isNumeric(schema);
  const shared = {
    id,
    value: value === undefined || value === null ? "" : String(value),
    disabled: disabled ?? false,
    readOnly: (readonly ?? false) || schema.const !== undefined,
    placeholder: placeholderOf(props),
    "aria-required": required || undefined,
    "aria-invalid": rawErrors?.length ? true : undefined,
    "aria-describedby": describedBy(id, { help: schema.description, errors: rawErrors }),
    "aria-label": props.hideLabel ? props.label : undefined,
    onChange: ({ target }: { target: { value: string } }) => {
      onChange(target.value === "" ? options.emptyValue : target.value);
    },
  };
  const inputMode: "numeric" | "decimal" = schema.type === "integer" ? "numeric" : "decimal";
  if (isSecret(schema)) {
    const hint = isNumber ? ({ inputMode } as const) : {};
    return <Input {...shared} {...hint} type="password" autoComplete="off" spellCheck={false} />;
  }
  if (isNumber) {
    return <Input {...shared} inputMode={inputMode} autoComplete="off" className="tabular-nums" />;
  }
  if (isLong(schema, shared.value)) return <Textarea {...shared} rows={5} spellCheck={false} />;
  return <Input {...shared} type={inputTypes[schema.format ?? ""] ?? "text"} autoComplete="off" spellCheck={false} />;
}

function isNumeric(schema: RJSFSchema): boolean {
  const types = [getSchemaType(schema)].flat();
  return types.includes("number") || types.includes("integer");
}

function isSecret(schema: RJSFSchema): boolean {
  return schema.format === "password" || schema.writeOnly === true || Reflect.get(schema, "x-secret") === true;
}

function isLong(schema: RJSFSchema, value: string): boolean {
  const samples = [schema.default, ...(Array.isArray(schema.examples) ? schema.examples : []), value];
  const holdsLines = samples.some((sample) => typeof sample === "string" && sample.includes("\n"));
  return holdsLines || (schema.maxLength ?? 0) > longText || "contentMediaType" in schema;
}

function placeholderOf({ schema, placeholder }: WidgetProps): string | undefined {
  const example: unknown = Array.isArray(schema.examples) ? schema.examples[0] : undefined;
  if (example === undefined) return placeholder || undefined;
  return typeof example === "string" ? example : JSON.stringify(example);
}
