"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { FormError } from "@/components/forms/form-error";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { FormDialogContent } from "@/components/ui/form-dialog-content";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { Textarea } from "@/components/ui/textarea";
import { ApiError } from "@/lib/client/api";
import { addCredential, credentialsQuery } from "@/lib/client/credentials";
import { addModelEndpoint, changeModelEndpoint, type ModelEndpoint, modelsKey } from "@/lib/client/models";
import { SecretField } from "../credentials/secret-field";
import { kindNames } from "./kind-names";

type ChosenKey = {
  /** The name of a credential; null for none. */
  stored: string | null;
  /** One that is stored together with the endpoint. */
  made: { name: string; value: string } | null;
};

type KeyFieldProps = { chosen: ChosenKey; onChange: (chosen: ChosenKey) => void; error: ApiError | null };

// No credential may be called so.
const NONE = "";

const NEW = "*new*";

type ModelDialogProps = { edited: ModelEndpoint | "new" | null; onClose: () => void };

export function ModelDialog({ edited, onClose }: ModelDialogProps) {
  return (
    <Dialog open={edited !== null} onOpenChange={(open) => !open && onClose()}>
      {edited !== null ? <ModelForm endpoint={edited === "new" ? null : edited} onDone={onClose} /> : null}
    </Dialog>
  );
}

const examples: Record<ModelEndpoint["kind"], string> = {
  openai: "http://127.0.0.1:11434/v1",
  anthropic: "https://api.anthropic.com/v1",
};

function ModelForm({ endpoint, onDone }: { endpoint: ModelEndpoint | null; onDone: () => void }) {
  const queries = useQueryClient();
  const [kind, setKind] = useState<ModelEndpoint["kind"]>(endpoint?.kind ?? "openai");
  const [name, setName] = useState(endpoint?.name ?? "");
  const [baseUrl, setBaseUrl] = useState(endpoint?.baseUrl ?? "");
  const [models, setModels] = useState(endpoint?.models.join("\n") ?? "");
  const [key, setKey] = useState<ChosenKey>({ stored: endpoint?.credential ?? null, made: null });
  const save = useMutation({
    mutationFn: async () => {
      const { stored, made } = key;
      if (made) {
        await addCredential({ ...made, description: `Key of the model endpoint ${name}` });
        // It is stored now: trying again must not store it twice.
        setKey({ stored: made.name, made: null });
      }
      const fields = { name, baseUrl, models: linesOf(models), credential: made?.name ?? stored };
      return endpoint === null ? addModelEndpoint({ kind, ...fields }) : changeModelEndpoint(endpoint.id, fields);
    },
    onSuccess: onDone,
    onSettled: () =>
      Promise.all([modelsKey, credentialsQuery.queryKey].map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
  const error = save.error instanceof ApiError ? save.error : null;
  const modelsError = error?.fieldError("models") ?? error?.errors.find(({ path }) => /^models\./.test(path))?.message;
  const isOfKey = key.made !== null;
  return (
    <FormDialogContent
      title={endpoint === null ? "Add model endpoint" : `Change ${endpoint.name}`}
      description={endpoint === null ? "Only admins see its address; its key is shown to nobody." : undefined}
      action={endpoint === null ? "Add endpoint" : "Save endpoint"}
      pending={save.isPending}
      onSubmit={() => save.mutate()}
      autoComplete="off"
    >
      {endpoint === null ? (
        <Field label="Kind" required>
          <Select
            value={kind}
            onChange={({ target }) => setKind(target.value as ModelEndpoint["kind"])}
            options={Object.entries(kindNames).map(([value, label]) => ({ value, label }))}
          />
        </Field>
      ) : null}
      <Field label="Name" required help="What people choose." error={isOfKey ? undefined : error?.fieldError("name")}>
        <Input value={name} maxLength={80} autoComplete="off" onChange={({ target }) => setName(target.value)} />
      </Field>
      <Field
        label="Address"
        required
        help={`What stands before ${kind === "openai" ? "/chat/completions" : "/messages"}: https, or http on this machine.`}
        error={error?.fieldError("baseUrl")}
      >
        <Input
          type="url"
          value={baseUrl}
          placeholder={examples[kind]}
          autoComplete="off"
          spellCheck={false}
          className="font-mono"
          onChange={({ target }) => setBaseUrl(target.value)}
        />
      </Field>
      <Field
        label="Models"
        required
        help="One a line, as the server names them; the first is the default."
        error={modelsError}
      >
        <Textarea
          rows={3}
          value={models}
          spellCheck={false}
          className="font-mono text-13"
          onChange={({ target }) => setModels(target.value)}
        />
      </Field>
      <KeyField chosen={key} onChange={setKey} error={error} />
      <FormError error={save.error} />
    </FormDialogContent>
  );
}

function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** The key that is sent: none, a credential there is, or one that is stored here. */
function KeyField({ chosen: { stored, made }, onChange, error }: KeyFieldProps) {
  const names = useQuery(credentialsQuery).data?.items.map(({ name }) => name) ?? [];
  const options = [...new Set([...(stored === null ? [] : [stored]), ...names])];
  return (
    <>
      <Field label="Key" error={error?.fieldError("credential")} help="A stored credential; its value never comes out.">
        <Select
          value={made ? NEW : (stored ?? NONE)}
          onChange={({ target: { value } }) => {
            if (value === NEW) onChange({ stored: null, made: { name: "", value: "" } });
            else onChange({ stored: value === NONE ? null : value, made: null });
          }}
          options={[
            { value: NONE, label: "No key" },
            ...options.map((name) => ({ value: name, label: name })),
            { value: NEW, label: "Store a new key…" },
          ]}
        />
      </Field>
      {made ? (
        <>
          <Field
            label="Name of the credential"
            required
            help="Lower-case letters, digits, - and _."
            error={error?.fieldError("name")}
          >
            <Input
              value={made.name}
              maxLength={63}
              autoComplete="off"
              spellCheck={false}
              className="font-mono"
              onChange={({ target }) => onChange({ stored: null, made: { ...made, name: target.value } })}
            />
          </Field>
          <SecretField
            value={made.value}
            onChange={(value) => onChange({ stored: null, made: { ...made, value } })}
            error={error?.fieldError("value")}
          />
        </>
      ) : null}
    </>
  );
}
