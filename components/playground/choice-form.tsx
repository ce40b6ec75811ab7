"use client";

import { useQuery } from "@tanstack/react-query";
import { modeWords } from "@/components/settings/persona-words";
import { useMe } from "@/components/state/use-me";
import { Field } from "@/components/ui/field";
import { Section } from "@/components/ui/section";
import { Select } from "@/components/ui/select";
import type { ModelChoices } from "@/lib/client/models";
import { personasQuery } from "@/lib/client/personas";
import type { Choice } from "./choice";
import { LimitFields } from "./limit-fields";
import { SkillChooser } from "./skill-chooser";

type ChoiceFormProps = {
  endpoints: ModelChoices["items"];
  choice: Choice;
  onChange: (choice: Choice) => void;
};

/** What a conversation is begun with. */
export function ChoiceForm({ endpoints, choice, onChange }: ChoiceFormProps) {
  const endpoint = endpoints.find(({ id }) => id === choice.endpointId) ?? endpoints[0];
  const models = endpoint?.models ?? [];
  const isAdmin = useMe()?.user.role === "admin";
  const personas = useQuery({ ...personasQuery, enabled: isAdmin }).data?.items;
  const others = personas?.filter(({ name }) => name !== "playground") ?? [];
  const chosenPersona = others.find(({ id }) => id === choice.personaId);
  return (
    <Section
      title="New conversation"
      description={`An agent uses skills in your name, under the persona “${chosenPersona?.name ?? "playground"}”. What changes things waits for approval, as for any agent.`}
      className="gap-5"
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Endpoint">
          <Select
            value={endpoint?.id ?? ""}
            onChange={({ target }) => onChange({ ...choice, endpointId: target.value, model: null })}
            options={endpoints.map(({ id, name }) => ({ value: id, label: name }))}
          />
        </Field>
        <Field label="Model">
          <Select
            value={choice.model !== null && models.includes(choice.model) ? choice.model : (models[0] ?? "")}
            onChange={({ target }) => onChange({ ...choice, endpointId: endpoint?.id ?? null, model: target.value })}
            options={models.map((model) => ({ value: model, label: model }))}
          />
        </Field>
      </div>
      {isAdmin ? (
        <Field label="Persona" help={chosenPersona ? modeWords[chosenPersona.permissionMode].explanation : undefined}>
          <Select
            value={chosenPersona?.id ?? ""}
            onChange={({ target }) => onChange({ ...choice, personaId: target.value || null })}
            options={[
              { value: "", label: "playground" },
              ...others.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        </Field>
      ) : null}
      <SkillChooser chosen={choice.skills} onChange={(skills) => onChange({ ...choice, skills })} />
      <LimitFields limits={choice.limits} onChange={(limits) => onChange({ ...choice, limits })} />
    </Section>
  );
}
