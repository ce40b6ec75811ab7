"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { FormError } from "@/components/forms/form-error";
import { modeLabels } from "@/components/settings/persona-labels";
import { errorText } from "@/components/state/describe-error";
import { Button } from "@/components/ui/button";
import { DefinitionList } from "@/components/ui/definition-list";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { Skeleton } from "@/components/ui/skeleton";
import type { AuthorizationRequest, Consent } from "@/lib/auth/oauth/schema";
import { consentQuery, decideConsent } from "@/lib/client/sign-in";
import { goTo } from "./go-to";
import { MessagePage } from "./message-page";

type ConsentPersona = Consent["personas"][number];

const scopeLabels: Record<Consent["scopes"][number], string> = {
  read: "list and read the skills of its persona",
  run: "start and cancel their runs",
};

type ConsentFormProps = { request: AuthorizationRequest; personName: string };

export function ConsentForm({ request, personName }: ConsentFormProps) {
  const query = useQuery(consentQuery(request));
  if (query.error) {
    return (
      <MessagePage title="This program cannot be authorised">
        <p className="text-foreground">{errorText(query.error)}</p>
        <p>The program received no access.</p>
      </MessagePage>
    );
  }
  if (query.data === undefined) return <Skeleton className="h-72 w-full" />;
  const { client, problem, personas } = query.data;
  if (problem) {
    return (
      <MessagePage
        title={`“${client.name}” requested something unsupported`}
        actions={<Return to={problem.returnTo} />}
      >
        <p className="text-foreground">{problem.message}</p>
        <p>The program received no access.</p>
      </MessagePage>
    );
  }
  if (personas.length === 0) {
    return (
      <MessagePage title={`“${client.name}” needs a persona`}>
        <p>A program acts under a persona, which defines what it may run. No persona exists yet.</p>
        <p>An admin adds one under Settings, Personas. Reload this page afterwards.</p>
      </MessagePage>
    );
  }
  return <Decision consent={query.data} request={request} personName={personName} />;
}

function Return({ to }: { to: string }) {
  return <Button onClick={() => goTo(to)}>Return to the program</Button>;
}

function Decision({ consent, request, personName }: ConsentFormProps & { consent: Consent }) {
  const { client, leadsTo, scopes, personas } = consent;
  const [personaId, setPersonaId] = useState(personas.length === 1 ? (personas[0]?.id ?? "") : "");
  const [days, setDays] = useState<7 | 30 | 90>(30);
  const [missing, setMissing] = useState<string>();
  const decide = useMutation({ mutationFn: decideConsent, onSuccess: ({ returnTo }) => goTo(returnTo) });
  const persona = personas.find(({ id }) => id === personaId);
  const isLeaving = decide.isPending || decide.isSuccess;

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    setMissing(persona ? undefined : "Choose a persona.");
    if (persona) decide.mutate({ decision: "allow", request, persona: persona.id, days });
  };

  return (
    <>
      <h1>Authorise “{client.name}”?</h1>
      <p className="mt-1 text-muted-foreground">
        It wants to use Skillgate as an agent of {personName}. The program chose its own name, so check the address.
      </p>
      <form method="post" onSubmit={onSubmit} className="mt-5 flex flex-col gap-4">
        <FormError error={decide.error} />
        <DefinitionList
          items={[
            { term: "Redirects to", value: <code className="break-all font-mono text-xs">{leadsTo}</code> },
            { term: "Permissions", value: scopes.map((scope) => scopeLabels[scope]).join("; ") },
          ]}
        />
        <Field label="Persona" required error={missing} help={<PersonaHelp persona={persona} />}>
          <Select
            value={personaId}
            onChange={({ target }) => {
              setPersonaId(target.value);
              setMissing(undefined);
            }}
            options={[
              { value: "", label: "Choose a persona" },
              ...personas.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        </Field>
        <Field label="Expires after" help="You can revoke it at any time under Settings, API tokens.">
          <Select
            value={String(days)}
            onChange={({ target }) => setDays(Number(target.value) as typeof days)}
            options={[7, 30, 90].map((count) => ({ value: String(count), label: `${count} days` }))}
          />
        </Field>
        <div className="mt-1 flex flex-wrap gap-2">
          <Button type="submit" variant="primary" size="lg" pending={isLeaving} className="flex-1">
            Authorise
          </Button>
          <Button size="lg" disabled={isLeaving} onClick={() => decide.mutate({ decision: "deny", request })}>
            Deny
          </Button>
        </div>
      </form>
    </>
  );
}

function PersonaHelp({ persona }: { persona: ConsentPersona | undefined }) {
  if (!persona) return "The persona defines which skills the program may run and which runs wait for people.";
  return (
    <>
      {modeLabels[persona.permissionMode].explanation} {describeSkills(persona)}
    </>
  );
}

function describeSkills({ allow, deny }: ConsentPersona): string {
  const reach = allow.length === 0 ? "It may use every skill you see" : `It may use ${allow.join(", ")}`;
  return deny.length === 0 ? `${reach}.` : `${reach}, but not ${deny.join(", ")}.`;
}
