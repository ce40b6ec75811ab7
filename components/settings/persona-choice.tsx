"use client";

import { useQuery } from "@tanstack/react-query";
import { type Control, type FieldPath, type FieldValues, useWatch } from "react-hook-form";
import { SelectField } from "@/components/forms/form";
import { personasQuery } from "@/lib/client/personas";
import { modeLabels } from "./persona-labels";

/** The field `persona` of a form: whom a token acts as, an agent under a persona, or its owner without one. */
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
          ? `An agent’s token: it never confirms, reviews or administers. ${modeLabels[chosen.permissionMode].explanation}`
          : "Choose one for an agent. Without it the token may do what you may, within the scopes."
      }
      options={[
        { value: "", label: "None: acts as you" },
        ...items.map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  );
}
