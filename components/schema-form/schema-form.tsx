"use client";

// The package root also loads its test set-up, which needs a validator that is not installed here.
import Form from "@rjsf/core/lib/components/Form.js";
import type { UiSchema } from "@rjsf/utils";
import { useMemo, useState } from "react";
import type { ApiFieldError } from "@/lib/client/api";
import { toErrorSchema } from "./error-schema";
import { toFormSchema } from "./form-schema";
import { leaveOutOptionals } from "./leave-out-optionals";
import { pruneArgs } from "./prune-args";
import { templates, widgets } from "./theme";
import { validator } from "./validator";

type Args = Record<string, unknown>;

type SchemaFormProps = {
  /** JSON Schema 2020-12 of an object. */
  schema: Record<string, unknown>;
  value: Args;
  onChange: (value: Args) => void;
  /** With dotted paths; shown at their fields. */
  errors: readonly ApiFieldError[];
  disabled?: boolean;
  idPrefix?: string;
};

const uiSchema: UiSchema = { "ui:globalOptions": { enableOptionalDataFieldForType: ["object"] } };

/**
 * A form made from a schema. Heavy: load it with next/dynamic. It neither checks nor sends; whoever holds the value does,
 * so that the form and the JSON editor answer to the same errors.
 */
export default function SchemaForm({
  schema,
  value,
  onChange,
  errors,
  disabled = false,
  idPrefix = "arg",
}: SchemaFormProps) {
  const formSchema = useMemo(() => toFormSchema(schema), [schema]);
  // An optional object just added is empty, which the arguments leave out and the form must not.
  const [told, setTold] = useState<{ value: Args; data: Args } | null>(null);
  const fresh = useMemo(() => leaveOutOptionals(schema, value), [schema, value]);
  const formData = told?.value === value ? told.data : fresh;
  const extraErrors = useMemo(() => toErrorSchema(errors), [errors]);
  return (
    <Form
      tagName="div"
      idPrefix={idPrefix}
      schema={formSchema}
      uiSchema={uiSchema}
      formData={formData}
      validator={validator}
      templates={templates}
      widgets={widgets}
      extraErrors={extraErrors}
      noValidate
      showErrorList={false}
      disabled={disabled}
      onChange={({ formData: data = {} }: { formData?: Args }) => {
        const args = pruneArgs(schema, data);
        setTold({ value: args, data });
        onChange(args);
      }}
    >
      {/* Instead of rjsf's own submit button. */}
      <span hidden />
    </Form>
  );
}
