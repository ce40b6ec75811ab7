"use client";

import { type FormEvent, useRef, useState } from "react";
import { errorText } from "@/components/state/describe-error";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Notice } from "@/components/ui/notice";
import { goTo } from "./go-to";
import { PasswordField } from "./password-field";
import { safeNext } from "./safe-next";
import { signIn } from "./session";
import { signInErrorText } from "./sign-in-error";

type SignInFormProps = { next: string | null; errorCode: string | null; email?: string };

export function SignInForm({ next, errorCode, email: knownEmail = "" }: SignInFormProps) {
  const [email, setEmail] = useState(knownEmail);
  const [password, setPassword] = useState("");
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState(errorCode ? signInErrorText(errorCode) : null);
  const form = useRef<HTMLFormElement>(null);

  const submit = async () => {
    setPending(true);
    setFailure(null);
    const problem = await trySignIn(email, password);
    if (problem === null) return goTo(safeNext(next)); // Still pending while the next page loads.
    setPending(false);
    setPassword("");
    setFailure(problem);
    form.current?.querySelector<HTMLInputElement>("[name=password]")?.focus();
  };

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void submit();
  };

  return (
    <form ref={form} method="post" onSubmit={onSubmit} className="mt-5 flex flex-col gap-4">
      {failure ? (
        <Notice tone="danger" announce>
          {failure}
        </Notice>
      ) : null}
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
    return outcome.ok ? null : signInErrorText(outcome.code, outcome.retryAfterSeconds);
  } catch (error) {
    return errorText(error);
  }
}
