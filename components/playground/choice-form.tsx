import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { modeLabels } from "@/components/settings/persona-labels";
import { useMe } from "@/components/state/use-me";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Section } from "@/components/ui/section";
import { Select } from "@/components/ui/select";
import { personasQuery } from "@/lib/client/personas";
import type { PlaygroundLimits } from "@/lib/client/playground";
import type { ModelChoices } from "@/lib/settings/models/schema";
import { type Choice, limitRanges } from "./choice";
import { SkillChooser } from "./skill-chooser";

const labels: Record<keyof PlaygroundLimits, string> = { steps: "Steps", tokens: "Tokens", seconds: "Time (seconds)" };

type LimitFieldProps = {
  label: string;
  value: number;
  range: { min: number; max: number };
  onChange: (value: number) => void;
};

type ChoiceFormProps = {
  endpoints: ModelChoices["items"];
  choice: Choice;
  onChange: (choice: Choice) => void;
};

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
      description={`An agent uses skills in your name, under the persona “${chosenPersona?.name ?? "playground"}”. Mutating and dangerous runs wait for approval, as for any agent.`}
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
        <Field label="Persona" help={chosenPersona ? modeLabels[chosenPersona.permissionMode].explanation : undefined}>
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

function LimitFields({ limits, onChange }: { limits: PlaygroundLimits; onChange: (limits: PlaygroundLimits) => void }) {
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium text-13">Limits per answer</legend>
      <div className="grid grid-cols-3 gap-4">
        {(["steps", "tokens", "seconds"] as const).map((key) => (
          <LimitField
            key={key}
            label={labels[key]}
            value={limits[key]}
            range={limitRanges[key]}
            onChange={(value) => onChange({ ...limits, [key]: value })}
          />
        ))}
      </div>
    </fieldset>
  );
}

function LimitField({ label, value, range: { min, max }, onChange }: LimitFieldProps) {
  const [text, setText] = useState(String(value));
  const typed = Number(text);
  const isAccepted = text.trim() !== "" && Number.isInteger(typed) && typed >= min && typed <= max;
  return (
    <Field
      label={label}
      error={
        isAccepted
          ? undefined
          : `Enter a whole number from ${min} to ${max.toLocaleString("en-GB")}. Until then, ${value} applies.`
      }
    >
      <Input
        type="number"
        inputMode="numeric"
        min={min}
        max={max}
        value={text}
        className="tabular-nums"
        onChange={({ target }) => {
          setText(target.value);
          const next = Number(target.value);
          if (target.value.trim() !== "" && Number.isInteger(next) && next >= min && next <= max) onChange(next);
        }}
      />
    </Field>
  );
}
