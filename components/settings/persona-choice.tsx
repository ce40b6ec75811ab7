"use client";

import { useQuery } from "@tanstack/react-query";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { personasQuery } from "@/lib/client/personas";
import { modeWords } from "./persona-labels";

type PersonaChoiceProps = { value: string; onChange: (id: string) => void; error?: string | undefined };

/** Whom a token acts as: an agent under a persona, or its owner without one. */
export function PersonaChoice({ value, onChange, ...field }: PersonaChoiceProps) {
  const { data } = useQuery(personasQuery);
  const chosen = data?.items.find(({ id }) => id === value);
  return (
    <Field
      label="Persona"
      help={
        chosen
          ? `An agent’s token: it never confirms, reviews or administers. ${modeWords[chosen.permissionMode].explanation}`
          : "Choose one for an agent. Without it the token may do what you may, within the scopes."
      }
      {...field}
    >
      <Select
        value={value}
        onChange={({ target }) => onChange(target.value)}
        options={[
          { value: "", label: "None: acts as you" },
          ...(data?.items ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
    </Field>
  );
}
