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
  write: "bring in skills for review and change your own",
};

/** Where a person types the code that a program without a browser shows, and lets it in or turns it away. */
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
  // What stands behind the # never reaches a server’s log.
  useEffect(() => setCode(decodeURIComponent(window.location.hash.slice(1)).slice(0, 20)), []);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (code.trim()) onCode(code.trim());
  };
  return (
    <>
      <h1>Let a program in</h1>
      <p className="mt-1 text-muted-foreground">
        Type the code that the program shows. Do so only if you have started it yourself.
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
      <h1>Let “{login.clientName}” in?</h1>
      <p className="mt-1 text-muted-foreground">
        It gets a token of {personName}. The name is its own word; look at the code and where it asks from.
      </p>
      <div className="mt-5 flex flex-col gap-4">
        <FormError error={decide.error} />
        <DefinitionList
          items={[
            { term: "Code", value: <code className="font-mono">{login.userCode}</code> },
            {
              term: "Asks from",
              value: <code className="break-all font-mono text-xs">{login.address ?? "unknown"}</code>,
            },
            { term: "It may", value: login.scopes.map((scope) => scopeLabels[scope]).join("; ") },
            { term: "Ends", value: "after 90 days, or when you revoke it under Settings, API tokens" },
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
            Let it in
          </Button>
          <Button size="lg" disabled={decide.isPending} onClick={() => decide.mutate("deny")}>
            Refuse
          </Button>
          <Button size="lg" disabled={decide.isPending} onClick={onBack}>
            Another code
          </Button>
        </div>
      </div>
    </>
  );
}

function Outcome({ outcome }: { outcome: "approve" | "deny" }) {
  const isIn = outcome === "approve";
  return (
    <MessagePage
      title={isIn ? "The program is in" : "The program was turned away"}
      actions={
        <Button asChild>
          <Link href="/settings/tokens">Go to API tokens</Link>
        </Button>
      }
    >
      <p className="text-foreground">
        {isIn
          ? "It fetches its token within seconds. You can close this page."
          : "It got nothing. You can close this page."}
      </p>
    </MessagePage>
  );
}
