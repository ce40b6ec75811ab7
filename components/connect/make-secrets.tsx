"use client";

import Link from "next/link";
import { useState } from "react";
import { FormDialog, SelectField, TextField } from "@/components/forms/form";
import { useApiForm } from "@/components/forms/use-api-form";
import { CapabilityUrlForm } from "@/components/settings/capability-url-section";
import { PersonaChoice } from "@/components/settings/persona-choice";
import { expiresIn, expiries } from "@/components/settings/scope-labels";
import { SecretOnce } from "@/components/settings/secret-dialog";
import { useMe } from "@/components/state/use-me";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Section } from "@/components/ui/section";
import { createToken, tokensQuery } from "@/lib/client/tokens";
import type { Connection } from "@/lib/distribution/schema";

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

/** Creates secrets with which clients see more than public skills. Only this page holds them, until it is left. */
export function MakeSecrets({ connection, made, onAddress, onToken }: MakeSecretsProps) {
  const [making, setMaking] = useState<"address" | "token" | null>(null);
  const close = () => setMaking(null);
  return (
    <>
      <Section
        title="Capability URL"
        description="For clients that cannot sign in: a read-only URL to the skills you can see. Keep it secret like a password."
      >
        {made.address === null ? (
          <div>
            <Button onClick={() => setMaking("address")}>Create capability URL</Button>
          </div>
        ) : (
          <SecretOnce
            secret={made.address}
            label="Capability URL"
            warning="The commands now contain it. It is not shown again after you leave this page."
          />
        )}
      </Section>
      <Section
        title="Token"
        description="For clients that send a token: they act as you, within the scopes you choose."
      >
        {made.token === null ? (
          <div>
            <Button onClick={() => setMaking("token")}>Create token</Button>
          </div>
        ) : (
          <SecretOnce
            secret={made.token}
            label="Token"
            warning="The commands now contain it. It is not shown again after you leave this page."
          />
        )}
        <p className="text-13">
          <Link href="/settings/tokens" className="text-primary underline underline-offset-2">
            Manage tokens and capability URLs
          </Link>
        </p>
      </Section>
      <Dialog open={making !== null} onOpenChange={(open) => !open && close()}>
        {making === "address" ? (
          <CapabilityUrlForm
            fixedScope={connection.scope}
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

function MakeTokenForm({ onMade }: { onMade: (token: string) => void }) {
  const isAdmin = useMe()?.user.role === "admin";
  const form = useApiForm({
    values: { name: "", scopes: "run" as Rights, persona: "", expiresAt: "90" },
    body: ({ name, scopes, persona, expiresAt }) => ({
      name,
      scopes: [...scopesOf[scopes]],
      expiresAt: expiresIn(expiresAt, Date.now()),
      ...(persona === "" ? {} : { persona }),
    }),
    schema: async () => (await import("@/lib/auth/schema")).CreateTokenInput,
    send: createToken,
    refresh: [tokensQuery.queryKey],
    onDone: ({ token }) => onMade(token),
  });
  return (
    <FormDialog
      form={form}
      title="Create token"
      description="The client acts in your name. A token never has more rights than you."
      action="Create token"
    >
      <TextField
        form={form}
        name="name"
        label="Name"
        required
        help="What will use it, e.g. “Claude Code on my laptop”."
        maxLength={100}
      />
      {isAdmin ? <PersonaChoice form={form} /> : null}
      <SelectField form={form} name="scopes" label="Scopes" options={rights} />
      <SelectField form={form} name="expiresAt" label="Expires in" options={expiries} className="w-40" />
    </FormDialog>
  );
}
