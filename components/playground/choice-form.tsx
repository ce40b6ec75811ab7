"use client";

import { Field } from "@/components/ui/field";
import { Section } from "@/components/ui/section";
import { Select } from "@/components/ui/select";
import type { ModelChoices } from "@/lib/client/models";
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
  return (
    <Section
      title="New conversation"
      description="An agent uses skills in your name, under the persona “playground”. What changes things waits for approval, as for any agent."
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
      <SkillChooser chosen={choice.skills} onChange={(skills) => onChange({ ...choice, skills })} />
      <LimitFields limits={choice.limits} onChange={(limits) => onChange({ ...choice, limits })} />
    </Section>
  );
}
