"use client";

import { useQuery } from "@tanstack/react-query";
import { type Control, type FieldPath, type FieldValues, useWatch } from "react-hook-form";
import { SelectField } from "@/components/forms/form";
import { personasQuery } from "@/lib/client/personas";
import { modeLabels } from "./persona-labels";

/** The form field `persona`. A token without a persona acts as its owner. */
export function PersonaChoice<Values extends FieldValues & { persona: string }>({
  form,
}: {
  form: { control: Control<Values> };
}) {
  const name = "persona" as FieldPath<Values>;
  const items = useQuery(personasQuery).data?.items ?? [];
  const value: unknown = useWatch({ control: form.control, name });
  const chosen = items.find(({ id }) => id === value);
  return (
    <SelectField
      form={form}
      name={name}
      label="Persona"
      help={
        chosen
          ? `An agent token cannot confirm runs, review or administer. ${modeLabels[chosen.permissionMode].explanation}`
          : "Choose a persona for an agent. Without one, the token has your rights within its scopes."
      }
      options={[
        { value: "", label: "None: acts as you" },
        ...items.map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  );
}
