"use client";

import { useQuery } from "@tanstack/react-query";
import { FormDialog, SelectField, TextareaField, TextField } from "@/components/forms/form";
import { useApiForm } from "@/components/forms/use-api-form";
import { ApiError } from "@/lib/client/api";
import { addCredential, credentialsQuery } from "@/lib/client/credentials";
import { addModelEndpoint, changeModelEndpoint, modelsKey } from "@/lib/client/models";
import type { ModelEndpoint } from "@/lib/settings/models/schema";
import { SecretField } from "./secret-field";

// Neither is a valid credential name.
const NONE = "";

const NEW = "*new*";

export const kindNames: Record<ModelEndpoint["kind"], string> = {
  openai: "OpenAI-compatible",
  anthropic: "Anthropic",
};

const addressExamples: Record<ModelEndpoint["kind"], string> = {
  openai: "http://127.0.0.1:11434/v1",
  anthropic: "https://api.anthropic.com/v1",
};

type ModelValues = {
  kind: ModelEndpoint["kind"];
  name: string;
  baseUrl: string;
  models: string;
  credential: string;
  newCredential: { name: string; value: string };
};

export function ModelForm({ endpoint, onDone }: { endpoint: ModelEndpoint | null; onDone: () => void }) {
  const values: ModelValues = {
    kind: endpoint?.kind ?? "openai",
    name: endpoint?.name ?? "",
    baseUrl: endpoint?.baseUrl ?? "",
    models: endpoint?.models.join("\n") ?? "",
    credential: endpoint?.credential ?? NONE,
    newCredential: { name: "", value: "" },
  };
  const form = useApiForm({
    values,
    send: async ({ kind, newCredential, credential, models, ...rest }: ModelValues): Promise<ModelEndpoint> => {
      if (credential === NEW) {
        await addCredential({ ...newCredential, description: `Key of the model endpoint ${rest.name}` }).catch(
          prefixCredentialErrors,
        );
        // Stored now: a retry must not create it a second time.
        form.setValue("credential", newCredential.name);
        form.setValue("newCredential", { name: "", value: "" });
      }
      const chosen = credential === NEW ? newCredential.name : credential;
      const fields = { ...rest, models: linesOf(models), credential: chosen === NONE ? null : chosen };
      return endpoint === null ? addModelEndpoint({ kind, ...fields }) : changeModelEndpoint(endpoint.id, fields);
    },
    refresh: [modelsKey, credentialsQuery.queryKey],
    onDone,
  });
  const { kind, credential } = form.watch();
  const names = useQuery(credentialsQuery).data?.items.map(({ name }) => name) ?? [];
  const stored = credential === NONE || credential === NEW ? [] : [credential];
  return (
    <FormDialog
      form={form}
      title={endpoint === null ? "Add model endpoint" : `Edit ${endpoint.name}`}
      description={endpoint === null ? "Only admins see the base URL. The API key is never shown." : undefined}
      action={endpoint === null ? "Add endpoint" : "Save endpoint"}
      autoComplete="off"
    >
      {endpoint === null ? (
        <SelectField
          form={form}
          name="kind"
          label="API"
          required
          options={Object.entries(kindNames).map(([value, label]) => ({ value, label }))}
        />
      ) : null}
      <TextField
        form={form}
        name="name"
        label="Name"
        required
        help="Shown to people who choose a model."
        maxLength={80}
      />
      <TextField
        form={form}
        name="baseUrl"
        label="Base URL"
        required
        help={`Without ${kind === "openai" ? "/chat/completions" : "/messages"}. Use https, or http for a server on this machine.`}
        type="url"
        placeholder={addressExamples[kind]}
        spellCheck={false}
        className="font-mono"
      />
      <TextareaField
        form={form}
        name="models"
        label="Models"
        required
        help="One model name per line, as the endpoint calls them. The first is the default."
        rows={3}
        spellCheck={false}
        className="font-mono text-13"
      />
      <SelectField
        form={form}
        name="credential"
        label="API key"
        help="A stored credential. Its value is never shown."
        options={[
          { value: NONE, label: "No key" },
          ...[...new Set([...stored, ...names])].map((name) => ({ value: name, label: name })),
          { value: NEW, label: "Store a new key…" },
        ]}
      />
      {credential === NEW ? (
        <>
          <TextField
            form={form}
            name="newCredential.name"
            label="Credential name"
            required
            help="Lower-case letters, digits, - and _."
            maxLength={63}
            spellCheck={false}
            className="font-mono"
          />
          <SecretField form={form} name="newCredential.value" />
        </>
      ) : null}
    </FormDialog>
  );
}

/** Moves the errors of the new credential to its own fields. */
function prefixCredentialErrors(error: unknown): never {
  if (!(error instanceof ApiError)) throw error;
  const errors = error.errors.map(({ path, message }) => ({ path: `newCredential.${path}`, message }));
  throw new ApiError({ ...error, detail: error.detail, errors });
}

function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
