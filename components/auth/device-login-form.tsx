"use client";

import { useMutation } from "@tanstack/react-query";
import Link from "next/link";
import { type FormEvent, useEffect, useState } from "react";
import { FormError } from "@/components/forms/form-error";
import { errorText } from "@/components/state/describe-error";
import { Button } from "@/components/ui/button";
import { DefinitionList } from "@/components/ui/definition-list";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import type { DeviceLogin } from "@/lib/auth/schema";
import { decideDeviceLogin, findDeviceLogin } from "@/lib/client/sign-in";
import { MessagePage } from "./message-page";

const scopeLabels: Record<DeviceLogin["scopes"][number], string> = {
  read: "read the skills that you see",
  run: "start and cancel runs",
  write: "import skills for review and change your own",
};

/** Asks for the code that a program without a browser shows, and authorises or denies the program. */
export function DeviceLoginForm({ personName }: { personName: string }) {
  const find = useMutation({ mutationFn: findDeviceLogin });
  const [outcome, setOutcome] = useState<"approve" | "deny" | null>(null);
  if (outcome !== null) return <Outcome outcome={outcome} />;
  if (find.data) {
    return <Decision login={find.data} personName={personName} onBack={find.reset} onDecided={setOutcome} />;
  }
  return (
    <CodeForm
      pending={find.isPending}
      error={find.error ? errorText(find.error) : undefined}
      onCode={(code) => find.mutate(code)}
    />
  );
}

type CodeFormProps = { pending: boolean; error: string | undefined; onCode(code: string): void };

function CodeForm({ pending, error, onCode }: CodeFormProps) {
  const [code, setCode] = useState("");
  // Browsers do not send the part after #, so that it reaches no log.
  useEffect(() => setCode(decodeURIComponent(window.location.hash.slice(1)).slice(0, 20)), []);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (code.trim()) onCode(code.trim());
  };
  return (
    <>
      <h1>Authorise a program</h1>
      <p className="mt-1 text-muted-foreground">
        Enter the code that the program shows. Continue only if you started the program yourself.
      </p>
      <form method="post" onSubmit={onSubmit} className="mt-5 flex flex-col gap-4">
        <Field label="Code" required error={error}>
          <Input
            value={code}
            onChange={({ target }) => setCode(target.value)}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            placeholder="WDJB-MJHT"
            className="font-mono uppercase"
            maxLength={20}
          />
        </Field>
        <Button type="submit" variant="primary" size="lg" pending={pending} disabled={!code.trim()} className="w-full">
          Continue
        </Button>
      </form>
    </>
  );
}

type DecisionProps = {
  login: DeviceLogin;
  personName: string;
  onBack(): void;
  onDecided(decision: "approve" | "deny"): void;
};

function Decision({ login, personName, onBack, onDecided }: DecisionProps) {
  const decide = useMutation({
    mutationFn: (decision: "approve" | "deny") => decideDeviceLogin(login.userCode, decision),
    onSuccess: (_, decision) => onDecided(decision),
  });
  return (
    <>
      <h1>Authorise “{login.clientName}”?</h1>
      <p className="mt-1 text-muted-foreground">
        It will get a token of {personName}. The program chose its own name, so check the code and the address.
      </p>
      <div className="mt-5 flex flex-col gap-4">
        <FormError error={decide.error} />
        <DefinitionList
          items={[
            { term: "Code", value: <code className="font-mono">{login.userCode}</code> },
            {
              term: "Requested from",
              value: <code className="break-all font-mono text-xs">{login.address ?? "unknown"}</code>,
            },
            { term: "Permissions", value: login.scopes.map((scope) => scopeLabels[scope]).join("; ") },
            { term: "Expires", value: "after 90 days, or when you revoke it under Settings, API tokens" },
          ]}
        />
        <div className="flex flex-wrap gap-2">
          <Button
            variant="primary"
            size="lg"
            pending={decide.isPending}
            onClick={() => decide.mutate("approve")}
            className="flex-1"
          >
            Authorise
          </Button>
          <Button size="lg" disabled={decide.isPending} onClick={() => decide.mutate("deny")}>
            Deny
          </Button>
          <Button size="lg" disabled={decide.isPending} onClick={onBack}>
            Use another code
          </Button>
        </div>
      </div>
    </>
  );
}

function Outcome({ outcome }: { outcome: "approve" | "deny" }) {
  const isApproved = outcome === "approve";
  return (
    <MessagePage
      title={isApproved ? "Program authorised" : "Program denied"}
      actions={
        <Button asChild>
          <Link href="/settings/tokens">Go to API tokens</Link>
        </Button>
      }
    >
      <p className="text-foreground">
        {isApproved
          ? "It receives its token within seconds. You can close this page."
          : "It received no access. You can close this page."}
      </p>
    </MessagePage>
  );
}
