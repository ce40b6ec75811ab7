"use client";

import { useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useId } from "react";
import { type Control, useController } from "react-hook-form";
import { ConfirmButton } from "@/components/forms/confirm-button";
import { FormDialog, SelectField, TextField } from "@/components/forms/form";
import { messageOf, useApiForm } from "@/components/forms/use-api-form";
import { actionsColumn, type Column, DataTable, timeColumn } from "@/components/lists/data-table";
import { ListSection } from "@/components/lists/list-section";
import { shellQuote } from "@/components/runs/start/curl-command";

import { useMe } from "@/components/state/use-me";
import { useNow } from "@/components/state/use-now";
import { Badge } from "@/components/ui/badge";
import { Checkbox } from "@/components/ui/checkbox";
import { CodeBlock } from "@/components/ui/code-block";
import { RelativeTime } from "@/components/ui/relative-time";
import type { ApiToken } from "@/lib/auth/schema";
import type { Role } from "@/lib/client/me";
import { createToken, revokeToken, tokensQuery } from "@/lib/client/tokens";
import { PersonaChoice } from "./persona-choice";
import { expiresIn, expiries, scopesOf, scopesText, type TokenScope } from "./scope-labels";
import { SecretDialog } from "./secret-dialog";

const columns: readonly Column<ApiToken>[] = [
  {
    header: "Name",
    cellClassName: "font-medium",
    cell: ({ name, personaName }) => (
      <>
        {name}
        {personaName ? <span className="font-normal text-muted-foreground"> as {personaName}</span> : null}
      </>
    ),
  },
  { header: "Scopes", muted: true, cell: ({ scopes }) => scopesText(scopes) },
  timeColumn("Last used", ({ lastUsedAt }) => lastUsedAt, { className: "max-md:hidden" }),
  { header: "Expires", muted: true, className: "max-md:hidden", cell: ({ expiresAt }) => <Expiry at={expiresAt} /> },
  actionsColumn(({ id, name }) => (
    <ConfirmButton
      aria-label={`Revoke ${name}`}
      title={`Revoke “${name}”?`}
      description="Programs that use it are refused from the next request. This cannot be undone."
      confirmLabel="Revoke token"
      onConfirm={() => revokeToken(id)}
      refresh={[tokensQuery.queryKey]}
    >
      Revoke
    </ConfirmButton>
  )),
];

export function TokenSection() {
  return (
    <ListSection
      title="API tokens"
      description="For programs and agents that act in your name."
      query={useQuery(tokensQuery)}
      skeletonRows={3}
      errorTitle="Your tokens could not be loaded."
      empty={{
        icon: KeyRound,
        title: "You have no tokens",
        description: "A token lets a program call the API as you, within the scopes you choose.",
        withCreate: true,
      }}
      create="Create token"
      dialog={() => <CreateToken />}
    >
      {(tokens) => <DataTable label="API tokens" rows={tokens} rowId={({ id }) => id} columns={columns} />}
    </ListSection>
  );
}

function Expiry({ at }: { at: string | null }) {
  const now = useNow();
  if (at === null) return "Never";
  if (now !== null && Date.parse(at) <= now) return <Badge tone="danger">Expired</Badge>;
  return <RelativeTime value={at} />;
}

type TokenValues = { name: string; scopes: TokenScope[]; expiresAt: string; persona: string };

function CreateToken() {
  const role = useMe()?.user.role ?? "user";
  const form = useApiForm({
    values: { name: "", scopes: ["read", "run"], expiresAt: "90", persona: "" } as TokenValues,
    body: ({ name, scopes, expiresAt, persona }) => ({
      name,
      scopes: allowedScopes(scopes, persona),
      expiresAt: expiresIn(expiresAt, Date.now()),
      ...(persona === "" ? {} : { persona }),
    }),
    schema: async () => (await import("@/lib/auth/schema")).CreateTokenInput,
    send: createToken,
    refresh: [tokensQuery.queryKey],
  });
  const persona = form.watch("persona");

  if (form.answer) return <CreatedToken token={form.answer.token} name={form.answer.name} />;
  return (
    <FormDialog
      form={form}
      title="Create API token"
      description="For programs that act in your name. A token never has more rights than you."
      action="Create token"
    >
      <TextField
        form={form}
        name="name"
        label="Name"
        required
        help="What will use it, e.g. “laptop” or “nightly report”."
        maxLength={100}
      />
      {role === "admin" ? <PersonaChoice form={form} /> : null}
      <ScopePicker form={form} role={persona === "" ? role : "user"} />
      <SelectField form={form} name="expiresAt" label="Expires in" options={expiries} className="w-40" />
    </FormDialog>
  );
}

/** A token with a persona never gets the scopes `review` and `admin`. */
function allowedScopes(scopes: readonly TokenScope[], persona: string): TokenScope[] {
  return scopes.filter((scope) => persona === "" || (scope !== "review" && scope !== "admin"));
}

function CreatedToken({ token, name }: { token: string; name: string }) {
  const url = shellQuote(`${window.location.origin}/api/skills`);
  return (
    <SecretDialog
      title={`Token “${name}” is ready`}
      secret={token}
      label="Token"
      warning="Copy it now. It is stored as a hash and never shown again."
    >
      <CodeBlock
        code={`export SKILLGATE_TOKEN=${shellQuote(token)}\ncurl -sS -H "Authorization: Bearer $SKILLGATE_TOKEN" ${url}`}
        label="Try it"
        language="sh"
      />
    </SecretDialog>
  );
}

function ScopePicker({ form, role }: { form: { control: Control<TokenValues> }; role: Role }) {
  const { field, fieldState } = useController({ control: form.control, name: "scopes" });
  const chosen = field.value;
  const error = messageOf(fieldState.error);
  const id = useId();
  return (
    <fieldset aria-describedby={error ? `${id}-error` : undefined} className="flex flex-col gap-2">
      <legend className="mb-1.5 font-medium text-13">Scopes</legend>
      {scopesOf(role).map(({ scope, label, explanation }) => (
        <div key={scope} className="flex items-start gap-2.5">
          <Checkbox
            id={`${id}-${scope}`}
            className="mt-0.5"
            aria-describedby={`${id}-${scope}-help`}
            checked={chosen.includes(scope)}
            onCheckedChange={(isOn) =>
              field.onChange(isOn === true ? [...chosen, scope] : chosen.filter((other) => other !== scope))
            }
          />
          <div className="text-13">
            <label htmlFor={`${id}-${scope}`} className="font-medium">
              {label}
            </label>
            <p id={`${id}-${scope}-help`} className="text-muted-foreground text-xs">
              {explanation}
            </p>
          </div>
        </div>
      ))}
      {error ? (
        <p id={`${id}-error`} role="alert" className="text-13 text-danger">
          {error}
        </p>
      ) : null}
    </fieldset>
  );
}
