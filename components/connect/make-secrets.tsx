"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { FormError } from "@/components/forms/form-error";
import { PersonaChoice } from "@/components/settings/persona-choice";
import { expiresIn, expiries } from "@/components/settings/scope-labels";
import { SecretOnce } from "@/components/settings/secret-once";
import { useMe } from "@/components/state/use-me";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { FormDialogContent } from "@/components/ui/form-dialog-content";
import { Input } from "@/components/ui/input";
import { Section } from "@/components/ui/section";
import { Select } from "@/components/ui/select";
import { ApiError } from "@/lib/client/api";
import { capabilityUrlsQuery, createCapabilityUrl } from "@/lib/client/capability-urls";
import type { Connection } from "@/lib/client/connect";
import { createToken, tokensQuery } from "@/lib/client/tokens";
import type { MadeSecrets } from "./client-steps";

const rights = [
  { value: "read", label: "Read skills" },
  { value: "run", label: "Read and run skills" },
  { value: "write", label: "Read, run and publish skills" },
] as const;

type Rights = (typeof rights)[number]["value"];

const scopesOf = { read: ["read"], run: ["read", "run"], write: ["read", "run", "write"] } as const;

type MakeSecretsProps = {
  connection: Connection;
  made: MadeSecrets;
  onAddress: (address: string) => void;
  onToken: (token: string) => void;
};

/** Offers what clients need to see more than the public skills. It stands on this page until it is left, and nowhere else. */
export function MakeSecrets({ connection, made, onAddress, onToken }: MakeSecretsProps) {
  const [making, setMaking] = useState<"address" | "token" | null>(null);
  const close = () => setMaking(null);
  return (
    <>
      <Section
        title="Capability URL"
        description="For clients that cannot sign in: whoever has it reads what you see, and changes nothing."
      >
        {made.address === null ? (
          <div>
            <Button onClick={() => setMaking("address")}>Make capability URL</Button>
          </div>
        ) : (
          <SecretOnce
            secret={made.address}
            label="Capability URL"
            warning="It stands in the commands now, and is gone when you leave this page."
          />
        )}
      </Section>
      <Section
        title="Token"
        description="For clients that send one: they act as you, with the rights you give. Kept under Settings."
      >
        {made.token === null ? (
          <div>
            <Button onClick={() => setMaking("token")}>Make token</Button>
          </div>
        ) : (
          <SecretOnce
            secret={made.token}
            label="Token"
            warning="It stands in the commands now, and is gone when you leave this page."
          />
        )}
        <p className="text-13">
          <Link href="/settings/tokens" className="text-primary underline underline-offset-2">
            Tokens and capability URLs you have
          </Link>
        </p>
      </Section>
      <Dialog open={making !== null} onOpenChange={(open) => !open && close()}>
        {making === "address" ? (
          <MakeAddressForm
            scope={connection.scope}
            onMade={(address) => {
              onAddress(address);
              close();
            }}
          />
        ) : null}
        {making === "token" ? (
          <MakeTokenForm
            onMade={(token) => {
              onToken(token);
              close();
            }}
          />
        ) : null}
      </Dialog>
    </>
  );
}

type MakeAddressFormProps = { scope: Connection["scope"]; onMade: (address: string) => void };

/** A capability URL for what the page is about. */
function MakeAddressForm({ scope, onMade }: MakeAddressFormProps) {
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const [days, setDays] = useState("90");
  const make = useMutation({
    mutationFn: () =>
      createCapabilityUrl({
        name,
        scope: scope.kind === "root" || scope.id === null ? { kind: "root" } : { kind: scope.kind, id: scope.id },
        expiresAt: expiresIn(days, Date.now()),
      }),
    onSuccess: ({ url }) => {
      onMade(url);
      return queries.invalidateQueries({ queryKey: capabilityUrlsQuery.queryKey });
    },
  });
  const error = make.error instanceof ApiError ? make.error : null;
  return (
    <FormDialogContent
      title="Make capability URL"
      description={
        scope.kind === "root" ? "It shows everything you can use, read-only." : `It shows “${scope.label}”, read-only.`
      }
      action="Make capability URL"
      pending={make.isPending}
      onSubmit={() => make.mutate()}
    >
      <Field label="Name" required help="Where it is used: “laptop”, “build server”." error={error?.fieldError("name")}>
        <Input value={name} maxLength={80} autoComplete="off" onChange={({ target }) => setName(target.value)} />
      </Field>
      <Field label="Expires in" error={error?.fieldError("expiresAt")}>
        <Select options={expiries} value={days} onChange={({ target }) => setDays(target.value)} className="w-40" />
      </Field>
      <FormError error={make.error} />
    </FormDialogContent>
  );
}

/** A token for the client that is being connected. */
function MakeTokenForm({ onMade }: { onMade: (token: string) => void }) {
  const queries = useQueryClient();
  const isAdmin = useMe()?.user.role === "admin";
  const [name, setName] = useState("");
  const [right, setRight] = useState<Rights>("run");
  const [persona, setPersona] = useState("");
  const [days, setDays] = useState("90");
  const make = useMutation({
    mutationFn: () =>
      createToken({
        name,
        scopes: [...scopesOf[right]],
        expiresAt: expiresIn(days, Date.now()),
        ...(persona === "" ? {} : { persona }),
      }),
    onSuccess: ({ token }) => {
      onMade(token);
      return queries.invalidateQueries({ queryKey: tokensQuery.queryKey });
    },
  });
  const error = make.error instanceof ApiError ? make.error : null;
  return (
    <FormDialogContent
      title="Make token"
      description="The client acts in your name. It can never do more than you can."
      action="Make token"
      pending={make.isPending}
      onSubmit={() => make.mutate()}
    >
      <Field label="Name" required help="What uses it: “Claude Code on my laptop”." error={error?.fieldError("name")}>
        <Input value={name} maxLength={100} autoComplete="off" onChange={({ target }) => setName(target.value)} />
      </Field>
      {isAdmin ? <PersonaChoice value={persona} onChange={setPersona} error={error?.fieldError("persona")} /> : null}
      <Field label="May" error={error?.fieldError("scopes")}>
        <Select
          options={rights}
          value={right}
          onChange={({ target }) => setRight(rights.find(({ value }) => value === target.value)?.value ?? "run")}
        />
      </Field>
      <Field label="Expires in" error={error?.fieldError("expiresAt")}>
        <Select options={expiries} value={days} onChange={({ target }) => setDays(target.value)} className="w-40" />
      </Field>
      <FormError error={make.error} />
    </FormDialogContent>
  );
}
