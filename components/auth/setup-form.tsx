"use client";

import Link from "next/link";
import { type FormEvent, useState } from "react";
import { errorText } from "@/components/state/describe-error";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Notice } from "@/components/ui/notice";
import { ApiError, api } from "@/lib/client/api";
import { fieldSentence } from "./field-sentence";
import { goTo } from "./go-to";
import { isDeadLink } from "./link-problem";
import { MessagePage } from "./message-page";
import { minPasswordLength, newPasswordProblem } from "./new-password";
import { PasswordField } from "./password-field";
import { signIn } from "./session";

type Failure = { text: string | null; fields: Record<string, string> };
const noFailure: Failure = { text: null, fields: {} };

/** Makes the first admin with the launcher's one-time token, then signs in. */
export function SetupForm({ token }: { token: string }) {
  const [values, setValues] = useState({ name: "", email: "", password: "" });
  const [pending, setPending] = useState(false);
  const [deadReason, setDeadReason] = useState<string | null>(null);
  const [failure, setFailure] = useState<Failure>(noFailure);

  const set = (field: keyof typeof values) => (event: { target: { value: string } }) =>
    setValues((before) => ({ ...before, [field]: event.target.value }));

  const submit = async () => {
    const problem = newPasswordProblem(values.password);
    if (problem) return setFailure({ text: null, fields: { password: problem } });
    setPending(true);
    setFailure(noFailure);
    try {
      await api("/api/setup", { method: "POST", body: { token, ...values }, signInOn401: false });
    } catch (error) {
      setPending(false);
      if (isDeadLink(error)) setDeadReason(errorText(error));
      else setFailure(failureOf(error));
      return;
    }
    const outcome = await signIn(values).catch(() => ({ ok: false }));
    goTo(outcome.ok ? "/skills" : "/sign-in");
  };

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void submit();
  };

  if (deadReason !== null) return <DeadSetupLink reason={deadReason} />;
  return (
    <>
      <h1>Set up Skillgate</h1>
      <p className="mt-1 text-muted-foreground">
        Create the first admin. You can invite reviewers and users once you are in.
      </p>
      <form method="post" onSubmit={onSubmit} className="mt-5 flex flex-col gap-4">
        {failure.text ? (
          <Notice tone="danger" announce>
            {failure.text}
          </Notice>
        ) : null}
        <Field label="Name" help="Stands beside every decision you make." error={failure.fields.name} required>
          <Input
            name="name"
            value={values.name}
            onChange={set("name")}
            autoComplete="name"
            required
            maxLength={100}
            className="h-10"
          />
        </Field>
        <Field label="Email" error={failure.fields.email} required>
          <Input
            name="email"
            type="email"
            value={values.email}
            onChange={set("email")}
            autoComplete="username"
            autoCapitalize="none"
            required
            className="h-10"
          />
        </Field>
        <PasswordField
          value={values.password}
          onChange={set("password")}
          autoComplete="new-password"
          error={failure.fields.password}
          help={`At least ${minPasswordLength} characters. A sentence is easy to remember.`}
        />
        <Button type="submit" variant="primary" size="lg" pending={pending} className="mt-1 w-full">
          Create admin and sign in
        </Button>
      </form>
    </>
  );
}

/** The link was used, or another start has replaced it. */
export function DeadSetupLink({ reason }: { reason?: string }) {
  return (
    <MessagePage
      title="This set-up link does not work"
      actions={
        <Button asChild variant="primary">
          <Link href="/sign-in">Go to sign-in</Link>
        </Button>
      }
    >
      {reason ? <p className="text-foreground">{reason}</p> : null}
      <p>It works once, and a restart of the server replaces it. Nothing was changed.</p>
      <p>If an admin exists already, sign in. If not, open the link that the server printed last.</p>
    </MessagePage>
  );
}

function failureOf(error: unknown): Failure {
  const fields: Record<string, string> = {};
  if (error instanceof ApiError) {
    for (const { path, message } of error.errors) fields[path] = fieldSentence(path, message);
  }
  const isOnFields = ["name", "email", "password"].some((field) => field in fields);
  return { text: isOnFields ? null : errorText(error), fields };
}
