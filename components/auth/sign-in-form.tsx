"use client";

import { type FormEvent, useRef, useState } from "react";
import { errorText } from "@/components/state/describe-error";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Notice } from "@/components/ui/notice";
import type { SignInWays } from "@/lib/auth/providers/schema";
import { goTo } from "./go-to";
import { PasswordField } from "./password-field";
import { ProviderButtons } from "./provider-buttons";
import { safeNext } from "./safe-next";
import { signIn } from "./session";
import { signInErrorText } from "./sign-in-error";

type SignInFormProps = {
  ways: SignInWays;
  next: string | null;
  errorCode: string | null;
  /** Id of the provider that the error is about. */
  errorProvider?: string | null;
};

/** Providers first, then email and password, as far as this server offers them. */
export function SignInForm({ ways, next, errorCode, errorProvider = null }: SignInFormProps) {
  const provider = ways.providers.find(({ id }) => id === errorProvider)?.name;
  const [failure, setFailure] = useState(errorCode ? signInErrorText(errorCode, { provider }) : null);
  return (
    <div className="mt-5 flex flex-col gap-4">
      {failure ? (
        <Notice tone="danger" announce>
          {failure}
        </Notice>
      ) : null}
      {ways.providers.length > 0 ? (
        <ProviderButtons providers={ways.providers} next={safeNext(next)} onFailure={setFailure} />
      ) : null}
      {ways.password && ways.providers.length > 0 ? (
        <p className="flex items-center gap-3 text-muted-foreground text-xs before:h-px before:flex-1 before:bg-border after:h-px after:flex-1 after:bg-border">
          or with a password
        </p>
      ) : null}
      {ways.password ? <PasswordForm next={next} onFailure={setFailure} /> : null}
    </div>
  );
}

function PasswordForm({ next, onFailure }: { next: string | null; onFailure: (sentence: string | null) => void }) {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [pending, setPending] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  const submit = async () => {
    setPending(true);
    onFailure(null);
    const problem = await trySignIn(email, password);
    if (problem === null) return goTo(safeNext(next)); // Still pending while the next page loads.
    setPending(false);
    setPassword("");
    onFailure(problem);
    form.current?.querySelector<HTMLInputElement>("[name=password]")?.focus();
  };

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void submit();
  };

  return (
    <form ref={form} method="post" onSubmit={onSubmit} className="flex flex-col gap-4">
      <Field label="Email" required>
        <Input
          name="email"
          type="email"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          autoComplete="username"
          autoCapitalize="none"
          required
          className="h-10"
        />
      </Field>
      <PasswordField
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        autoComplete="current-password"
      />
      <Button type="submit" variant="primary" size="lg" pending={pending} className="mt-1 w-full">
        Sign in
      </Button>
    </form>
  );
}

async function trySignIn(email: string, password: string): Promise<string | null> {
  try {
    const outcome = await signIn({ email, password });
    return outcome.ok ? null : signInErrorText(outcome.code, outcome);
  } catch (error) {
    return errorText(error);
  }
}
