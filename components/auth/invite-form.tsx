"use client";

import { FormFailure } from "@/components/forms/form";
import { Button } from "@/components/ui/button";
import type { SignInWays } from "@/lib/auth/providers/schema";
import { answerOf, api } from "@/lib/client/api";
import { minPasswordLength } from "./new-password-problem";
import { DeadLink, useLinkForm } from "./one-time-link";
import { PasswordField } from "./password-field";
import { ProviderButtons } from "./provider-buttons";

/** Lets an invited person set a password or sign in with a provider. */
export function InviteForm({ token, ways }: { token: string; ways: SignInWays }) {
  const form = useLinkForm({ password: "" }, ({ password }) =>
    api(`/api/invites/${encodeURIComponent(token)}`, {
      method: "POST",
      body: { password },
      shape: answerOf<{ email: string }>(),
      signInOn401: false,
    }),
  );

  if (form.deadReason !== null) {
    return (
      <DeadLink title="This invitation link is invalid" reason={form.deadReason}>
        <p>If you have already set a password, sign in. If not, ask an admin for a new link.</p>
      </DeadLink>
    );
  }
  return (
    <>
      <h1>Join Skillgate</h1>
      <p className="mt-1 text-muted-foreground">{invitation(ways)}</p>
      {form.failure ? (
        <div className="mt-5">
          <FormFailure form={form} />
        </div>
      ) : null}
      {ways.providers.length > 0 ? (
        <div className="mt-5">
          <ProviderButtons
            providers={ways.providers}
            next="/skills"
            onFailure={(message) => (message === null ? form.clearErrors("root") : form.setError("root", { message }))}
          />
        </div>
      ) : null}
      {ways.password ? (
        <form method="post" onSubmit={form.onSubmit} className="mt-5 flex flex-col gap-4">
          <PasswordField
            label="New password"
            value={form.watch("password")}
            onChange={({ target }) => form.setValue("password", target.value)}
            autoComplete="new-password"
            error={form.formState.errors.password?.message}
            help={`At least ${minPasswordLength} characters. A sentence is easy to remember.`}
          />
          <Button type="submit" variant="primary" size="lg" pending={form.pending} className="mt-1 w-full">
            Set password and sign in
          </Button>
        </form>
      ) : null}
    </>
  );
}

function invitation({ password, providers }: SignInWays): string {
  if (providers.length === 0) return "You were invited. Choose a password; only you will know it.";
  const byAddress = "Sign in with an account that has the invited email address";
  return `You were invited. ${byAddress}${password ? ", or choose a password; only you will know it" : ""}.`;
}
