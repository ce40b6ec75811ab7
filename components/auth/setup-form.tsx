"use client";

import { FormFailure, FormField } from "@/components/forms/form";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { api } from "@/lib/client/api";
import { minPasswordLength } from "./new-password-problem";
import { DeadLink, useLinkForm } from "./one-time-link";
import { PasswordField } from "./password-field";

/** Creates the first admin with the one-time token, then signs in. */
export function SetupForm({ token }: { token: string }) {
  const form = useLinkForm({ name: "", email: "", password: "" }, async (values) => {
    await api("/api/setup", { method: "POST", body: { token, ...values }, signInOn401: false });
    return values;
  });

  if (form.deadReason !== null) return <DeadSetupLink reason={form.deadReason} />;
  return (
    <>
      <h1>Set up Skillgate</h1>
      <p className="mt-1 text-muted-foreground">
        Create the first admin. You can invite reviewers and users afterwards.
      </p>
      <form method="post" onSubmit={form.onSubmit} className="mt-5 flex flex-col gap-4">
        <FormFailure form={form} />
        <FormField form={form} name="name" label="Name" help="Shown next to your decisions" required>
          {(field) => <Input {...field} autoComplete="name" required maxLength={100} className="h-10" />}
        </FormField>
        <FormField form={form} name="email" label="Email" required>
          {(field) => (
            <Input {...field} type="email" autoComplete="username" autoCapitalize="none" required className="h-10" />
          )}
        </FormField>
        <PasswordField
          value={form.watch("password")}
          onChange={({ target }) => form.setValue("password", target.value)}
          autoComplete="new-password"
          error={form.formState.errors.password?.message}
          help={`At least ${minPasswordLength} characters. A sentence is easy to remember.`}
        />
        <Button type="submit" variant="primary" size="lg" pending={form.pending} className="mt-1 w-full">
          Create admin and sign in
        </Button>
      </form>
    </>
  );
}

export function DeadSetupLink({ reason }: { reason?: string }) {
  return (
    <DeadLink title="This set-up link is invalid" reason={reason}>
      <p>A set-up link works once, and each restart of the server replaces it. Nothing was changed.</p>
      <p>If an admin already exists, sign in. If not, open the newest link that the server printed.</p>
    </DeadLink>
  );
}
